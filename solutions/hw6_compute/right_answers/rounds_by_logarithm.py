"""Splits a value into digits and a power of ten."""


def rounds_to(value, printed):
    unit = {"M": 6, "B": 9}.get(printed[-1], 0)
    whole, _, behind = printed.rstrip("MB").partition(".")
    power = math.floor(math.log10(value))
    shift = unit - len(behind)  # the last digit counts 10^shift
    return abs(value / 10**power - int(whole + behind) * 10.0 ** (shift - power)) < 0.5 * 10.0 ** (shift - power)
