// Small pictures as files, and their pixels as Pillow 12.3 decodes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <png.h>
#include <zlib.h>

namespace capella::test {

inline std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  return bytes;
}

struct Picture {
  std::size_t width;
  std::size_t height;
  std::string_view file;    ///< in hexadecimal digits
  std::string_view pixels;  ///< likewise

  std::string bytes() const { return from_hex(file); }
  std::vector<std::uint8_t> rgb() const {
    const std::string all = from_hex(pixels);
    return {all.begin(), all.end()};
  }
};

// Colour at half the resolution, which is smoothed up.
inline const Picture kJpeg = {
    9, 7,
    "ffd8ffe000104a46494600010100000100010000ffdb0043000d090a0b0a080d0b0a0b0e0e0d0f13201513121213271c1e17"
    "202e2931302e292d2c333a4a3e333646372c2d405741464c4e525352323e5a615a50604a51524fffdb0043010e0e0e131113"
    "261515264f352d354f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f"
    "4f4f4f4f4f4f4f4fffc00011080007000903012200021101031101ffc4001600010101000000000000000000000000000003"
    "05ffc4001b10000104030000000000000000000000000001020421061651ffc4001501010100000000000000000000000000"
    "000105ffc4001b11000104030000000000000000000000000003040513012131ffda000c03010002110311003f008c3c75b5"
    "4868ebade2004d957ebdfd1897ab518d9fffd9",
    "000cda0f0ed6290fca460eb9670aa1830a8b9f0c77b20e65c413590723df1625da3226d04f23be6e20a78c2090a7227bbc25"
    "6acd2a5f0d44dd1d47db3747d05447bd7242a590428eac4479c24668d34c5d0f66d91e68d33869c85568b77465a0926489ae"
    "6674c26762d36d570f8ccf1d8eca388ebf558dae768997938980ae8b6bc28d59d3924e14afcb24b2c83db3bd5bb2ac79ae92"
    "97ad7cb3af68c9b157d9b74c15c9c625ccc43fcdb75ccca67bc98f98c777b5ca65cacb53dad146"};

// The first with its end cut off, filled up by LOAD_TRUNCATED_IMAGES.
inline const Picture kCutJpeg = {
    9, 7,
    "ffd8ffe000104a46494600010100000100010000ffdb0043000d090a0b0a080d0b0a0b0e0e0d0f13201513121213271c1e17"
    "202e2931302e292d2c333a4a3e333646372c2d405741464c4e525352323e5a615a50604a51524fffdb0043010e0e0e131113"
    "261515264f352d354f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f"
    "4f4f4f4f4f4f4f4fffc00011080007000903012200021101031101ffc4001600010101000000000000000000000000000003"
    "05ffc4001b10000104030000000000000000000000000001020421061651ffc4001501010100000000000000000000000000"
    "000105ffc4001b11000104030000000000000000000000000003040513012131ffda000c03010002110311003f008c3c75b5"
    "4868ebade2",
    "1d221c222721292e282f342e3439333a3f39414640464b454d524c2d322c3237313a3f393f443e4449434a4f49515650575c"
    "565e635d424741484d474f544e555a54595e585f645e666b656c716b737872565b555b605a626761686d676d726c7378727a"
    "7f797f847e868b856b706a70756f777c767d827c828781888d878f948e9499939ba09a818680878c868e938d949993989d97"
    "9ea39da5aaa4abb0aab2b7b190958f969b959da29ca3a8a2a8ada7adb2acb5bab4babfb9c1c6c0"};

// One channel.
inline const Picture kGreyJpeg = {
    9, 7,
    "ffd8ffe000104a46494600010100000100010000ffdb0043000d090a0b0a080d0b0a0b0e0e0d0f13201513121213271c1e17"
    "202e2931302e292d2c333a4a3e333646372c2d405741464c4e525352323e5a615a50604a51524fffc0000b08000700090101"
    "1100ffc4001500010100000000000000000000000000000507ffc40017100100030000000000000000000000000000064381"
    "ffda0008010100003f00360d5e29afffd9",
    "0000001f1f1f3838385151517474748d8d8da7a7a7c6c6c6e0e0e00000001f1f1f3838385151517474748d8d8da7a7a7c6c6"
    "c6e0e0e00000001f1f1f3838385151517474748d8d8da7a7a7c6c6c6e0e0e00000001f1f1f3838385151517474748d8d8da7"
    "a7a7c6c6c6e0e0e00000001f1f1f3838385151517474748d8d8da7a7a7c6c6c6e0e0e00000001f1f1f383838515151747474"
    "8d8d8da7a7a7c6c6c6e0e0e00000001f1f1f3838385151517474748d8d8da7a7a7c6c6c6e0e0e0"};

// Four channels, inverted as Adobe writes them.
inline const Picture kCmykJpeg = {
    5, 4,
    "ffd8ffee000e41646f626500640000000000ffdb0043000d090a0b0a080d0b0a0b0e0e0d0f13201513121213271c1e17202e"
    "2931302e292d2c333a4a3e333646372c2d405741464c4e525352323e5a615a50604a51524fffc00014080004000504431100"
    "4d11005911004b1100ffc4001500010100000000000000000000000000000506ffc400211000000502070000000000000000"
    "0000000001020304051106141531355381ffda000e0443004d0059004b00003f007f117207e8735a9fda286b0f2f37b8bf97"
    "21c6ddb255621fffd9",
    "fffefbe2feedc6fdd5aafcbe8efcb0ffddf4dfdae3c1d6c9a3d3b087d0a0ffb2ebdcadd7baa6ba9aa09e7c9b8dfe95e4da91"
    "cfb588af938192767c80"};

// Lossy.
inline const Picture kWebp = {
    9, 7,
    "524946464c0000005745425056503820400000003002009d012a0900070002403825b00274ba0140000a4f363c8000fef5dd"
    "e66d294e0e4f91cd4dfef1bd4777197aeaa2f7f33fdffbbaff661f267d3678000000",
    "0b05dd1806d62f07c64705af6b0a9d8308869b0976b20964cc0755151ee62120dd371fcd4f1db77422a28d208ba2227bba21"
    "6cd41f5c1d45e92946e23f46d15744ba7d49a695478fac487ec4476fdc465f1967e02667da3c67c85465b1796a9d916886a9"
    "6976c16866d86757178fd82291d03a92bf538fa87794968f937da7946fbe925fd8905016b2d221b4c939b5b951b3a276b88d"
    "8eb677a6b768bdb659d7b44913cfcb20d0c236d2b24ed09b74d4888cd272a3d361bbd252d4d042"};

// Lossless, partly transparent.
inline const Picture kClearWebp = {
    4, 3,
    "5249464640000000574542505650384c330000002f038000105f201020c4f82f72636238840444f57fa7019af1e802a62874"
    "10d05f00820012a70c32186f830d668de87fe48e0200",
    "0000ff1c00eb3800d75400c30024f71c24e33824cf5424bb0048ef1c48db3848c75448b3"};

// Two frames.
inline const Picture kMovingWebp = {
    4, 3,
    "52494646ca00000057454250565038580a00000002000000030000020000414e494d06000000000000000000414e4d464a00"
    "00000000000000000300000200005a0000025650384c320000002f038000005f40986d3498fabf4ff01c864341da068c7fc7"
    "fb9bff1ee40160e302401040a294420ac3adb0c2a811fd0fea72414e4d464c0000000000000000000300000200005a000000"
    "5650384c340000002f038000005fa0906d04e8605eff9ce2390c87908038e2ff265334f3df033865d4b846200820514a2185"
    "e1565861d488fe474e1d",
    "0000ff1c00eb3800d75400c30024f71c24e33824cf5424bb0048ef1c48db3848c75448b3"};

/// A PNG file put together by hand, so that it may be of any kind and wrong in any way.
struct PngParts {
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  int depth = 8;
  int colour = PNG_COLOR_TYPE_RGB;
  std::string rows = {};  ///< each with its filter's number in front
  std::string palette = {};
  std::string transparent = {};
  bool interlaced = false;
};

inline std::string png_number(std::uint32_t value) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

inline std::string png_chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return png_number(static_cast<std::uint32_t>(data.size())) + body +
         png_number(static_cast<std::uint32_t>(sum));
}

inline std::string png_file(const PngParts& parts) {
  std::string header = png_number(parts.width) + png_number(parts.height);
  for (const int byte : {parts.depth, parts.colour, 0, 0, parts.interlaced ? 1 : 0})
    header += static_cast<char>(byte);
  uLongf size = compressBound(parts.rows.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(parts.rows.data()),
           parts.rows.size());
  packed.resize(size);
  std::string file = "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header);
  if (!parts.palette.empty()) file += png_chunk("PLTE", parts.palette);
  if (!parts.transparent.empty()) file += png_chunk("tRNS", parts.transparent);
  return file + png_chunk("IDAT", packed) + png_chunk("IEND", "");
}

}  // namespace capella::test
