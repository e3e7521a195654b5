"""Writes every matrix and every vector down and adds them up, in loops."""


def linear_parameters(n_in, n_out, bias=True):
    total = 0
    for _ in range(n_out):
        total += n_in
        if bias:
            total += 1
    return total


def tensors_of_a_block(d, h, size, inner):
    block = []
    for name in ("query", "key", "value"):
        block.append((name, (d, h * size)))
        block.append((name + " bias", (h * size,)))
    block += [("mix", (h * size, d)), ("mix bias", (d,))]
    block += [("up", (d, inner)), ("up bias", (inner,)), ("down", (inner, d)), ("down bias", (d,))]
    for norm in ("first", "second"):
        block += [(norm + " gain", (d,)), (norm + " bias", (d,))]
    return block


def layer_parameters(d_model, n_heads, d_head, d_ff):
    total = 0
    for _, tensor in tensors_of_a_block(d_model, n_heads, d_head, d_ff):
        total += math.prod(tensor)
    return total


def model_parameters(shape):
    tensors = [(shape["vocab_size"], shape["d_model"]), (shape["context_length"], shape["d_model"])]
    for _ in range(shape["n_layers"]):
        block = tensors_of_a_block(shape["d_model"], shape["n_heads"], shape["d_head"], shape["d_ff"])
        tensors.extend(tensor for _, tensor in block)
    if shape["final_norm"]:
        tensors += [(shape["d_model"],), (shape["d_model"],)]
    if not shape["tied"]:
        tensors.append((shape["d_model"], shape["vocab_size"]))
    return sum(math.prod(tensor) for tensor in tensors)


def attention_flops(shape, length, clever):
    total = 0
    for query in range(length):
        keys = query + 1 if clever else length
        total += keys * (shape["d_head"] + shape["d_head"]) * 2
    return total * shape["n_heads"] * shape["n_layers"]


def training_flops_per_token(shape, length, clever=False):
    matrices = [(shape["d_model"], shape["vocab_size"])]
    for _ in range(shape["n_layers"]):
        block = tensors_of_a_block(shape["d_model"], shape["n_heads"], shape["d_head"], shape["d_ff"])
        matrices += [tensor for _, tensor in block if len(tensor) == 2]
    forward = 0
    for rows, columns in matrices:
        forward += 2 * rows * columns * length
    forward += attention_flops(shape, length, clever)
    backward = 2 * forward
    return (forward + backward) / length


def updates(n_tokens, batch_size, length):
    full, left = divmod(n_tokens, batch_size * length)
    return full + 1 if left else full


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    left = memory_gib * 1024 * 1024 * 1024 - fixed_bytes
    if left < bytes_per_sequence:
        return 0
    return left // bytes_per_sequence
