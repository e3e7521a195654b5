"""Marks what does not matter with -1, which no embedding takes."""

CAUGHT_BY = "test_decoder_inputs"
HINT = "reads what is no id"


def decoder_inputs(targets):
    inputs = torch.cat([torch.full_like(targets[:, :1], BOS), targets[:, :-1]], dim=1)
    return inputs.masked_fill(targets == PAD, -1)
