"""exp, log, log1p and logistic in f32 and log in f64, operation by operation."""

import numpy as np

F32, U32 = np.float32, np.uint32


def h32(text):
    value = float.fromhex(text)
    assert float(F32(value)) == value, text
    return F32(value)


def h64(text):
    return np.float64(float.fromhex(text))


def bits(x):
    return x.view(U32)


def pow2(n):
    """2^n as f32; what lies outside the normal exponents is clipped and must not be used."""
    return ((np.clip(n, -126, 127) + 127).astype(U32) << U32(23)).view(F32)


def horner(f, start, *terms):
    q = np.full_like(f, start)
    for c in terms:
        q = q * f + c
    return q


def exp_parts(x):
    t = x * h32("0x1.715476p0") + h32("0x1.8p23")
    k = t - h32("0x1.8p23")
    a = x - k * h32("0x1.62e4p-1")
    b = k * h32("0x1.7f7d1cp-20")
    n = bits(t).astype(np.int64) - 0x4B400000
    r = a - b
    c = (a - r) - b
    terms = "0x1.a27418p-13 0x1.6d514cp-10 0x1.110feep-7 0x1.5554e4p-5 0x1.555556p-3 0x1p-1"
    q = horner(r, *(h32(term) for term in terms.split()))
    s = F32(1) + r
    lo = (r - (s - F32(1))) + (c + (r * r) * q)
    return n, s, lo


def exp_scale(y, n):
    half = n >> 1
    return (y * pow2(half)) * pow2(n - half)


def exp(x):
    a = np.where(x < F32(-104), F32(-104), x)
    a = np.where(a > F32(89), F32(89), a)
    n, s, lo = exp_parts(a)
    return np.where(np.isnan(x), F32(np.nan), exp_scale(s + lo, n))


def log_split(x):
    tiny = x < h32("0x1p-126")
    u = bits(np.where(tiny, x * h32("0x1p25"), x)) + U32(0x3F800000 - 0x3F3504F3)
    k = (u >> U32(23)).astype(np.int64) - np.where(tiny, 152, 127)
    m = ((u & U32(0x007FFFFF)) + U32(0x3F3504F3)).view(F32)
    return k, m


def log_low(f):
    terms = (
        "0x1.13be0cp-4 -0x1.dd992ap-4 0x1.e6dd24p-4 -0x1.fc3e3ap-4 0x1.233af6p-3 -0x1.555b8cp-3 0x1.99a478p-3 "
        "-0x1.000008p-2 0x1.555548p-2"
    )
    q = horner(f, *(h32(term) for term in terms.split()))
    f2 = f * f
    return (f * f2) * q - F32(0.5) * f2


def log_join(k, f, low):
    k = k.astype(F32)
    kh = k * h32("0x1.62e4p-1")
    s = kh + f
    e = f - (s - kh)
    return s + (e + (low + k * h32("0x1.7f7d1cp-20")))


def log_special(z, r):
    nan, inf = z.dtype.type(np.nan), z.dtype.type(np.inf)
    r = np.where(z > 0, r, nan)
    r = np.where(z == 0, -inf, r)
    return np.where(z == inf, inf, r)


def log(x):
    k, m = log_split(x)
    f = m - F32(1)
    return log_special(x, log_join(k, f, log_low(f)))


def log1p(x):
    one = F32(1)
    u = one + x
    large, small = np.where(x > one, x, one), np.where(x > one, one, x)
    c = small - (u - large)
    k, m = log_split(u)
    g = c * np.where(k < 127, pow2(-k), F32(0))
    f = np.where(k == 0, x, m - one)
    correction = np.where(k == 0, F32(0), g / m)
    r = log_special(u, log_join(k, f, log_low(f) + correction))
    return np.where(np.abs(x) < h32("0x1p-26"), x, r)


def upper(x):
    return (bits(x) & U32(0xFFFFF000)).view(F32)


def logistic(x):
    one = F32(1)
    a = -np.abs(x)
    a = np.where(a < F32(-104), F32(-104), a)
    n, s, lo = exp_parts(a)
    y = s + lo
    z = lo - (y - s)
    t = pow2(np.maximum(n, -64))
    ty = t * y
    d = one + ty
    e = (ty - (d - one)) + t * z
    q = y / d
    p = one - t * q
    qh, dh = upper(q), upper(d)
    ql, dl = q - qh, d - dh
    rest = ((y - qh * dh) - qh * dl - ql * dh) - ql * dl
    v = ((rest + z) - q * e) * p
    low = exp_scale(q + v, n)
    w = (one - p) - t * q
    high = p + (w - t * v)
    return np.where(np.isnan(x), F32(np.nan), np.where(x < 0, low, high))


LOG64_TERMS = """
    -0x1.572cdfce7ad65p-6 0x1.aa8fe2795befcp-5 -0x1.e51083f8c88ep-5 0x1.990936253cc87p-5 -0x1.83a52c35eb4eep-5
    0x1.a72bbc1b2571p-5 -0x1.c917f494295b2p-5 0x1.e314b68f9c73ap-5 -0x1.ffedbc057e5ep-5 0x1.11043821e2bdep-4
    -0x1.2492094fd2c25p-4 0x1.3b145b9fc7051p-4 -0x1.55555f4a16ce1p-4 0x1.745d11ab2aa71p-4 -0x1.9999992ca10acp-4
    0x1.c71c71e497d6ap-4 -0x1.000000012688cp-3 0x1.24924924649abp-3 -0x1.55555555524c1p-3 0x1.9999999999e29p-3
    -0x1.0000000000018p-2 0x1.5555555555554p-2"""


def log64(x):
    u64 = np.uint64
    tiny = x < h64("0x1p-1022")
    u = np.where(tiny, x * h64("0x1p54"), x).view(u64) + u64(0x3FF0000000000000 - 0x3FE6A09E667F3BCD)
    k = ((u >> u64(52)).astype(np.int64) - np.where(tiny, 1077, 1023)).astype(np.float64)
    m = ((u & u64(0x000FFFFFFFFFFFFF)) + u64(0x3FE6A09E667F3BCD)).view(np.float64)
    f = m - 1.0
    q = horner(f, *(h64(term) for term in LOG64_TERMS.split()))
    fh = (f.view(u64) & u64(0xFFFFFFFFF8000000)).view(np.float64)
    fl = f - fh
    kh = k * h64("0x1.62e42fefa4p-1")
    p = kh + f
    e = f - (p - kh)
    h = 0.5 * (fh * fh)
    s = p - h
    d = (p - s) - h
    rest = (f * (f * f)) * q - (0.5 * fl) * (f + fh)
    low = (d + e) + (rest + (0.0 + k * h64("-0x1.8432a1b0e2634p-43")))
    return log_special(x, s + low)


F32_FUNCTIONS = {"exp": exp, "log": log, "log1p": log1p, "logistic": logistic}
F64_FUNCTIONS = {"log": log64}
