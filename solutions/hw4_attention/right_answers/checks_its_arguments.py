"""Checks its arguments: shapes that fit, masks of True and False, weights that sum to one or nothing, words that end with EOS."""


def must(fits, what):
    if not fits:
        raise ValueError(what)


def shares(rows):
    total = rows.sum(dim=-1)
    must(rows.min() >= 0 and ((total < 1e-6) | ((total - 1).abs() < 1e-6)).all(), "weights sum to one, or all are 0")


def words(targets):
    must(targets.dtype == torch.int64 and targets.ndim == 2, "ids are integers, a row for each word")
    for ids in targets.tolist():
        letters = ids[: ids.index(EOS)]
        must(min(letters, default=3) >= 3 and not any(ids[len(letters) + 1 :]), "letters, EOS, then PAD")


def dot_scores(H, s):
    must(H.dtype == s.dtype and s.shape == (H.shape[0], H.shape[2]), "a state of the decoder for each sentence")
    return torch.einsum("bnm,bm->bn", H, s)


def padding_mask(lengths, n_keys):
    must(lengths.dtype == torch.int64 and 0 <= lengths.min() and lengths.max() <= n_keys, "lengths from 0 to n_keys")
    return torch.arange(n_keys) < lengths[:, None]


def attention_weights(scores, mask=None):
    mask = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    must(mask.dtype == torch.bool and mask.ndim >= 1, "a mask is True or False")
    must(torch.broadcast_shapes(mask.shape, scores.shape) == scores.shape, "a mask has the shape of the scores")
    seen = scores.masked_fill(~mask, 0)
    must(seen.isfinite().all() and seen.abs().max() <= 1e12, "scores that are not masked are finite")
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).masked_fill(~mask, 0)


def context_vectors(weights, H):
    must(weights.shape == H.shape[:2], "a weight for each state")
    shares(weights)
    return torch.einsum("bn,bnm->bm", weights, H)


def attention_gradients(A, V, dY):
    must(A.shape == (len(dY), len(V)) and V.shape[1] == dY.shape[1], "shapes that fit")
    shares(A)
    dA = dY @ V.T
    return A * (dA - (A * dA).sum(dim=1, keepdim=True)), A.T @ dY


def decoder_inputs(targets):
    words(targets)
    return torch.cat([torch.full_like(targets[:, :1], BOS), targets[:, :-1]], dim=1)


def masked_nll(logits, targets):
    words(targets)
    must(logits.shape[:2] == targets.shape and targets.max() < logits.shape[2], "logits of each id at each place")
    return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD)


def mirror_share(maps):
    found = []
    for A in maps:
        must(A.ndim == 2 and A.shape[1] >= 1 and (A >= 0).all(), "weights are not negative")
        must((A.sum(dim=1) < 1 + 1e-6).all(), "the weights of a row sum to one at most")
        n = A.shape[1]
        found += [t < n and int((row >= row[n - 1 - t]).sum()) == 1 for t, row in enumerate(A)]
    return sum(found) / len(found)
