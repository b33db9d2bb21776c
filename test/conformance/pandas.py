pandas, polars and arrow.

# %%
import numpy as np
import pandas as pd
df = pd.DataFrame({"city": ["Oslo", "Lima", "Pune"], "people": [0.7, 10.1, None]})
df

# %%
df.people

# %%
df.describe()

# %%
df.info()

# %%
df.groupby("city").people.sum()

# %%
pd.DataFrame({"n": range(15), "half": np.arange(15) / 2})

# %%
pd.DataFrame({"n": range(30)})

# %%
pd.DataFrame({"n": range(100), "half": np.arange(100) / 2})

# %%
pd.DataFrame(np.arange(60).reshape(2, 30))

# %%
pd.DataFrame(np.arange(16).reshape(2, 8), columns=[f"a long name {i}" for i in range(8)])

# %%
pd.Series(range(100), name="n")

# %%
df.style.highlight_null()

# %%
df["missing"]

# %%
df.to_dict("records")

# %%
pd.date_range("2024-01-01", periods=3)

# %%
pd.Timestamp("2024-02-29") + pd.Timedelta("1D")

# %%
print(df)

# %%
df.pivot_table(index="city", values="people")

# %%
df.columns, df.dtypes, df.shape

# %%
import polars as pl
pl.DataFrame({"a": [1, 2], "b": ["x", None]})

# %%
import pyarrow as pa
pa.table({"a": [1, 2], "b": ["x", None]})
