#include "capella/world.h"

#include "world/world.h"

namespace capella {

void check_options(const WorldOptions& options) {
  world::check(options);
}

WorldSummary make_world(const WorldOptions& options) {
  return world::write_world(options);
}

}  // namespace capella
