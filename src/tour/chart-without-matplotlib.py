import struct, zlib

# matplotlib is not installed here, so this draws the bars pixel by pixel with the standard library.
width, height, bar = 360, 180, 44
pixels = [[(255, 255, 255)] * width for _ in range(height)]
largest = max(takings.values())
for index, (shop, amount) in enumerate(sorted(takings.items(), key=lambda item: -item[1])):
    for y in range(12 + index * 56, 12 + index * 56 + bar):
        for x in range(8, 8 + int(amount / largest * (width - 16))):
            pixels[y][x] = (42, 127, 98)
raw = b"".join(b"\0" + bytes(channel for pixel in row for channel in pixel) for row in pixels)

def part(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

png = b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
png += part(b"IDAT", zlib.compress(raw)) + part(b"IEND", b"")
open("takings.png", "wb").write(png)

class Picture:
    def _repr_png_(self):
        return png

Picture()
