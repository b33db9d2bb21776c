numpy.

# %%
import numpy as np
np.arange(6).reshape(2, 3)

# %%
np.zeros((1000, 1000))

# %%
np.linspace(0, 1, 5)

# %%
np.float64(0.1) + 0.2

# %%
np.array(["a", "b"]), np.array([True])

# %%
np.array([1, 2]) + np.array([1, 2, 3])

# %%
with np.errstate(all="warn"):
    np.log(np.array([0.0]))

# %%
np.random.default_rng(0).normal(size=3).round(3)

# %%
{"mean": np.arange(10).mean(), "array": np.arange(3)}

# %%
np.ma.masked_array([1, 2, 3], mask=[False, True, False])
