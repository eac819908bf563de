// Grounding of images and of networks as commands do it.
#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/logic.h"
#include "capella/mln.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella {
namespace {

// What references mention has no boxes, so a network of attention would never be asked.
TEST(MlnGround, AttentionDoesNotGoWithReferences) {
  const test::TempDir folder;
  GroundRun run;
  run.network = folder.write("n.mln", "thing = {Man}\nRide(thing,thing)\n1 Ride(x,y)\n");
  run.references = folder.write("references.json", "{}");
  run.mil = folder.write("mil.npz", "");
  run.output = (folder.path() / "ground.jsonl").string();
  const std::string message = test::message_of<UsageError>([&] { mln_ground(run); });
  EXPECT_NE(message.find("--references"), std::string::npos) << message;
  EXPECT_NE(message.find("--mil"), std::string::npos) << message;
}

// A network of friends, 400 + 20 atoms, by so little work that no chain can converge.
LogicAnswer sampled(std::size_t sweeps) {
  LogicRun run;
  run.network = "n.mln";
  run.texts["n.mln"] =
      "person = {1, ..., 20}\nS(person)\nF(person,person)\n0.5 !S(x) v !F(x,y) v S(y)\n-0.7 F(x,y)\n";
  run.inference.method = "gibbs";
  run.inference.most_work = 1e6;
  run.inference.most_sweeps = sweeps;
  return infer_logic(run);
}

// Of 1,140 literals: 380 formulas of three (x and y differ; else they are always true). With 420 atoms and 16
// chains, 24,960 draws and looks a sweep: 40 sweeps, 10 of them to burn in.
TEST(LogicInfer, LargeNetworksEndEarlyUnlessSweepsAreGiven) {
  const LogicAnswer cut = sampled(InferenceOptions().most_sweeps);
  EXPECT_EQ(cut.sweeps, 30u);
  EXPECT_FALSE(cut.converged);
  ASSERT_FALSE(cut.notes.empty());
  EXPECT_NE(cut.notes[0].find("have not converged after 30 sweeps"), std::string::npos) << cut.notes[0];
  EXPECT_NE(cut.notes[0].find("give a number of sweeps of your own"), std::string::npos) << cut.notes[0];
  const LogicAnswer asked = sampled(35);
  EXPECT_EQ(asked.sweeps, 35u);
  ASSERT_FALSE(asked.notes.empty());
  EXPECT_NE(asked.notes[0].find("more sweeps, blocks or temperatures"), std::string::npos) << asked.notes[0];
}

}  // namespace
}  // namespace capella
