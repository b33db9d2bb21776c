import csv

rows = list(csv.DictReader(open("coffee.csv")))
print(len(rows), "rows;", "columns:", ", ".join(rows[0]))
for row in rows[:3]:
    print(row)
missing = [row for row in rows if not row["cups"]]
print("rows without a number of cups:", len(missing))
