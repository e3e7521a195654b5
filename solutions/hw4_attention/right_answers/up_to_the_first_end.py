"""What counts of the targets is what stands up to the first EOS."""


def masked_nll(logits, targets):
    ends = (targets == EOS).int()
    real = ends.cumsum(dim=1) - ends == 0
    log_p = torch.log_softmax(logits, dim=-1)
    return -log_p.gather(-1, targets[..., None])[..., 0][real].mean()
