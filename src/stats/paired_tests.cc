#include "stats/paired_tests.h"
