takings = {}
for row in rows:
    takings[row["shop"]] = takings.get(row["shop"], 0) + int(row["cups"]) * float(row["price"])
takings
