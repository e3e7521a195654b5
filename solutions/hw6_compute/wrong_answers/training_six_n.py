"""Six for every parameter."""

CAUGHT_BY = "test_training_flops_per_token"
HINT = "6N counts every parameter and no scores"


def training_flops_per_token(shape, length, clever=False):
    return 6 * model_parameters(shape)
