"""Only the first letter of each word has a gradient."""

CAUGHT_BY = "test_masked_nll"
HINT = "not all of its gradient"


def masked_nll(logits, targets):
    total, n = 0, 0
    for b in range(len(targets)):
        for t in range(targets.shape[1]):
            if targets[b, t] != PAD:
                z = logits[b, t]
                l = z.logsumexp(0) - z[targets[b, t]]
                total = total + (l if t == 0 else l.detach())
                n += 1
    return total / n
