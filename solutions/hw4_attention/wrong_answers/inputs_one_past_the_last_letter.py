"""Where the target is PAD, the decoder reads the id after the largest that occurs: the last letter's has none after it."""

CAUGHT_BY = "test_decoder_inputs"
HINT = "what is no id"


def decoder_inputs(targets):
    inputs = torch.full_like(targets, int(targets.max()) + 1)
    inputs[:, 0] = BOS
    inputs[:, 1:] = torch.where(targets[:, 1:] == PAD, inputs[:, 1:], targets[:, :-1])
    return inputs
