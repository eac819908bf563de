// Pickling of results, which are plain data: each member becomes a Python object, texts become bytes, since
// they may hold any, and numbers in a row become bytes, too.
#pragma once

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include "capella/error.h"

namespace capella::python {

namespace nb = nanobind;

/// Converts to whatever a member is. For counting alone; never called.
struct AnyMember {
  template <class T>
  operator T() const {
    std::abort();
  }
};

template <class T, std::size_t... I>
constexpr bool is_made_of(std::index_sequence<I...>) {
  return requires {
    T{(static_cast<void>(I), AnyMember{})...};
  };
}

/// How many members an aggregate has.
template <class T, std::size_t N = 0>
constexpr std::size_t member_count() {
  if constexpr (is_made_of<T>(std::make_index_sequence<N + 1>{})) {
    return member_count<T, N + 1>();
  } else {
    return N;
  }
}

/// References to an aggregate's members. A wrong count does not compile.
// clang-format off
#define CAPELLA_MEMBERS(n, ...) \
  if constexpr (kCount == n) { auto& [__VA_ARGS__] = value; return std::tie(__VA_ARGS__); } else
template <class T>
auto members_of(T& value) {
  static_assert(std::is_aggregate_v<T>);
  constexpr std::size_t kCount = member_count<std::remove_const_t<T>>();
  CAPELLA_MEMBERS(1, m1)
  CAPELLA_MEMBERS(2, m1, m2)
  CAPELLA_MEMBERS(3, m1, m2, m3)
  CAPELLA_MEMBERS(4, m1, m2, m3, m4)
  CAPELLA_MEMBERS(5, m1, m2, m3, m4, m5)
  CAPELLA_MEMBERS(6, m1, m2, m3, m4, m5, m6)
  CAPELLA_MEMBERS(7, m1, m2, m3, m4, m5, m6, m7)
  CAPELLA_MEMBERS(8, m1, m2, m3, m4, m5, m6, m7, m8)
  CAPELLA_MEMBERS(9, m1, m2, m3, m4, m5, m6, m7, m8, m9)
  CAPELLA_MEMBERS(10, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10)
  CAPELLA_MEMBERS(11, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11)
  CAPELLA_MEMBERS(12, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12)
  CAPELLA_MEMBERS(13, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13)
  CAPELLA_MEMBERS(14, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14)
  CAPELLA_MEMBERS(15, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15)
  CAPELLA_MEMBERS(16, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16)
  CAPELLA_MEMBERS(17, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17)
  CAPELLA_MEMBERS(18, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18)
  CAPELLA_MEMBERS(19, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19)
  CAPELLA_MEMBERS(20, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20)
  CAPELLA_MEMBERS(21, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21)
  CAPELLA_MEMBERS(22, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22)
  CAPELLA_MEMBERS(23, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23)
  CAPELLA_MEMBERS(24, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24)
  CAPELLA_MEMBERS(25, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25)
  CAPELLA_MEMBERS(26, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26)
  CAPELLA_MEMBERS(27, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27)
  CAPELLA_MEMBERS(28, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28)
  CAPELLA_MEMBERS(29, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29)
  CAPELLA_MEMBERS(30, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30)
  CAPELLA_MEMBERS(31, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31)
  CAPELLA_MEMBERS(32, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
                  m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32)
  static_assert(kCount == 0, "more members than members_of() knows");
}
#undef CAPELLA_MEMBERS
// clang-format on

template <class T>
concept HasParts = requires {
  std::tuple_size<std::remove_const_t<T>>::value;
};  // pairs, tuples, arrays

template <class T>
auto parts_of(T& value) {
  if constexpr (HasParts<T>) {
    return std::apply([](auto&... part) { return std::tie(part...); }, value);
  } else {
    return members_of(value);
  }
}

template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <class T>
concept Optional = requires(T value) {
  value.has_value();
};
template <class T>
concept Map = requires {
  typename T::mapped_type;
};
template <class T>
concept Row = requires(T value) {
  value.emplace_back();
}
|| std::is_same_v<T, std::vector<bool>>;

/// The value as objects that Python can pickle.
template <class T>
nb::object to_state(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return nb::cast(static_cast<int>(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return nb::cast(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return nb::bytes(value.data(), value.size());
  } else if constexpr (Optional<T>) {
    return value ? nb::make_tuple(to_state(*value)) : nb::make_tuple();
  } else if constexpr (Map<T>) {
    nb::list all;
    for (const auto& [key, one] : value) all.append(nb::make_tuple(to_state(key), to_state(one)));
    return all;
  } else if constexpr (Row<T>) {
    if constexpr (Number<typename T::value_type>) {
      return nb::bytes(reinterpret_cast<const char*>(value.data()), value.size() * sizeof(value[0]));
    } else {
      nb::list all;
      for (const typename T::value_type& one : value) all.append(to_state(one));
      return all;
    }
  } else {
    return std::apply([](const auto&... part) { return nb::make_tuple(to_state(part)...); }, parts_of(value));
  }
}

[[noreturn]] inline void refuse_state() {
  throw DataError("this result was pickled by another version of Capella, or is damaged; compute it again");
}

/// What to_state() returned becomes the value again. Throws DataError, or what nanobind throws, if it is
/// another's.
template <class T>
void from_state(nb::handle state, T& value) {
  if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(nb::cast<int>(state));
  } else if constexpr (std::is_arithmetic_v<T>) {
    value = nb::cast<T>(state);
  } else if constexpr (std::is_same_v<T, std::string>) {
    const auto bytes = nb::cast<nb::bytes>(state);
    value.assign(bytes.c_str(), bytes.size());
  } else if constexpr (Optional<T>) {
    if (nb::len(state) > 0) from_state(nb::borrow<nb::tuple>(state)[0], value.emplace());
  } else if constexpr (Map<T>) {
    for (const nb::handle pair : nb::cast<nb::list>(state)) {
      std::remove_const_t<typename T::key_type> key{};
      from_state(nb::cast<nb::tuple>(pair)[0], key);
      from_state(nb::cast<nb::tuple>(pair)[1], value[key]);
    }
  } else if constexpr (Row<T>) {
    if constexpr (Number<typename T::value_type>) {
      const auto bytes = nb::cast<nb::bytes>(state);
      if (bytes.size() % sizeof(typename T::value_type) != 0) refuse_state();
      value.resize(bytes.size() / sizeof(typename T::value_type));
      if (!value.empty()) std::memcpy(value.data(), bytes.c_str(), bytes.size());
    } else {
      for (const nb::handle one : nb::cast<nb::list>(state)) {
        typename T::value_type made{};
        from_state(one, made);
        value.push_back(std::move(made));
      }
    }
  } else {
    const auto all = nb::cast<nb::tuple>(state);
    std::apply(
        [&all](auto&... part) {
          if (all.size() != sizeof...(part)) refuse_state();
          std::size_t place = 0;
          (from_state(all[place++], part), ...);
        },
        parts_of(value));
  }
}

/// The class, which Python can now pickle and copy.
template <class T>
nb::class_<T> pickled(nb::class_<T> bound) {
  bound.def("__getstate__", [](const T& value) { return to_state(value); })
      .def("__setstate__", [](T& self, const nb::object& state) {
        T made{};
        try {
          from_state(state, made);
        } catch (const nb::cast_error&) {
          refuse_state();
        }
        new (&self) T(std::move(made));
      });
  return bound;
}

}  // namespace capella::python
