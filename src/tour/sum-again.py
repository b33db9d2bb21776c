takings = {}
for row in rows:
    if row["cups"]:
        takings[row["shop"]] = takings.get(row["shop"], 0) + int(row["cups"]) * float(row["price"])

for shop, amount in sorted(takings.items(), key=lambda item: -item[1]):
    print(f"{shop:<10} {amount:>9.2f}")
