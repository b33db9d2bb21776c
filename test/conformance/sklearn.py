scikit-learn.

# %%
import numpy as np
from sklearn.datasets import make_regression
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
X, y = make_regression(n_samples=100, n_features=3, noise=1.0, random_state=0)
X.shape, y.shape

# %%
model = make_pipeline(StandardScaler(), Ridge(alpha=0.5))
model

# %%
model.fit(X, y)

# %%
round(model.score(X, y), 4)

# %%
cross_val_score(LinearRegression(), X, y, cv=3).round(3)

# %%
LinearRegression().predict(X)

# %%
train, test = train_test_split(np.arange(10), random_state=0)
train, test

# %%
model.get_params()["ridge__alpha"]

# %%
LinearRegression().fit(X, y).coef_.round(1)

# %%
LinearRegression().fit(X[:5], y)
