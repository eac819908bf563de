#include "base/random.h"
