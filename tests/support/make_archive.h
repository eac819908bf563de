// Small archives for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

namespace capella::test {

enum class ArchiveKind { zip, tar_gz };

/// Writes an archive of (path, content).
inline void make_archive(const std::string& path, ArchiveKind kind,
                         const std::vector<std::pair<std::string, std::string>>& members) {
  archive* made = ::archive_write_new();
  if (kind == ArchiveKind::zip) {
    ::archive_write_set_format_zip(made);
  } else {
    ::archive_write_set_format_pax_restricted(made);
    ::archive_write_add_filter_gzip(made);
  }
  ASSERT_EQ(::archive_write_open_filename(made, path.c_str()), ARCHIVE_OK);
  for (const auto& [name, content] : members) {
    archive_entry* entry = ::archive_entry_new();
    ::archive_entry_set_pathname(entry, name.c_str());
    ::archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    ::archive_entry_set_filetype(entry, AE_IFREG);
    ::archive_entry_set_perm(entry, 0644);
    ASSERT_EQ(::archive_write_header(made, entry), ARCHIVE_OK);
    ASSERT_EQ(::archive_write_data(made, content.data(), content.size()),
              static_cast<la_ssize_t>(content.size()));
    ::archive_entry_free(entry);
  }
  ASSERT_EQ(::archive_write_free(made), ARCHIVE_OK);
}

}  // namespace capella::test
