import matplotlib.pyplot as plt

shops = sorted(takings, key=takings.get)
figure, axes = plt.subplots(figsize=(6, 3))
axes.barh(shops, [takings[shop] for shop in shops], color="#2a7f62")
axes.set_title("Takings, one week of March")
figure.savefig("takings.png", bbox_inches="tight")
