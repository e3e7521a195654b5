"""Everything multiplied out into one formula."""


def linear_parameters(n_in, n_out, bias=True):
    return n_out * (n_in + int(bias))


def toy_by_hand():
    return {"embeddings": 90, "attention": 168, "feed-forward": 318, "norms": 24, "all": 1122}


def layer_parameters(d_model, n_heads, d_head, d_ff):
    k = n_heads * d_head
    return 4 * d_model * k + 3 * k + 2 * d_model * d_ff + d_ff + 6 * d_model


def model_parameters(shape):
    L, d, h, k, f, V, T, norm, tied = (
        shape[key] for key in "n_layers d_model n_heads d_head d_ff vocab_size context_length final_norm tied".split()
    )
    return L * (d * (4 * h * k + 2 * f + 6) + 3 * h * k + f) + d * (V + T + 2 * norm + V * (1 - tied))


def petaflop_s_days(n_parameters, n_tokens):
    return n_parameters / 1e10 * n_tokens / 1.44e9


def training_flops_per_token(shape, length, clever=False):
    k, d = shape["n_heads"] * shape["d_head"], shape["d_model"]
    keys = (length + 1) / 2 if clever else length
    return shape["n_layers"] * (24 * d * k + 12 * d * shape["d_ff"] + 12 * k * keys) + 6 * d * shape["vocab_size"]


def activation_bytes(shape, batch_size, length, keep_scores=False):
    k, d, h = shape["n_heads"] * shape["d_head"], shape["d_model"], shape["n_heads"]
    per_token = shape["n_layers"] * (10 * d + 8 * k + 4 * shape["d_ff"] + 5 * h * length * keep_scores)
    return (per_token + 4 * shape["vocab_size"]) * length * batch_size


def run_cost(flops, n_devices, peak, utilisation, price):
    return [flops / (86400 * n_devices * peak * utilisation), flops * price / (3600 * peak * utilisation)]


def affordable_flops(dollars, peak, utilisation, price):
    return 3600 * dollars * peak * utilisation / price


def best_allocation(flops, law):
    a, b = law["alpha"], law["beta"]
    log_n = (math.log(a * law["A"] / b / law["B"]) + b * math.log(flops / 6)) / (a + b)
    return np.exp([log_n, math.log(flops / 6) - log_n])
