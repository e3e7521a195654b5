"""The decoder reads the letter after the next."""

CAUGHT_BY = "test_decoder_inputs"
HINT = "shifted the wrong way"


def decoder_inputs(targets):
    return torch.cat([targets[:, 1:], torch.full_like(targets[:, :1], EOS)], dim=1)
