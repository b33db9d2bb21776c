Charts and pictures.

# %%
import matplotlib.pyplot as plt
plt.plot([1, 2, 3])

# %%
fig, ax = plt.subplots()
ax.bar(["a", "b"], [1, 2])
plt.show()

# %%
print("before")
plt.figure(); plt.plot([1]); plt.show()
print("after")

# %%
fig

# %%
plt.plot([1, 2]);

# %%
for i in range(2):
    plt.figure()
    plt.plot([i])

# %%
plt.plot([1])
raise ValueError("after plotting")

# %%
from PIL import Image
Image.new("RGB", (8, 8), "red")

# %%
plt.close("all")
fig, axes = plt.subplots(2, 2)
plt.close(fig)

# %%
import pandas as pd
pd.Series([1, 3, 2]).plot(title="a series")

# %%
import plotly.graph_objects as go
go.Figure(go.Bar(x=["a"], y=[1]))

# %%
import altair as alt
alt.Chart(pd.DataFrame({"a": [1, 2], "b": [3, 4]})).mark_bar().encode(x="a:O", y="b:Q")
