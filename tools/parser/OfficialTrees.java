// Parses captions with the parser inside the official SPICE program: Stanford CoreNLP 3.6.0, annotators
// tokenize, ssplit, parse and lemma, the default English PCFG, basic dependencies.
//
//   java -cp stanford-corenlp-3.6.0.jar OfficialTrees.java MODEL THREADS < captions.txt > trees.conll
//
// MODEL is edu/stanford/nlp/models/lexparser/englishPCFG.ser.gz of the models' jar, as a file or on the class
// path. One caption a line, optionally behind an id and a tab. Trees come in the order of the captions: blocks
// of "index word lemma tag head relation" with a line "# id = ID.SENTENCE" before each.

import edu.stanford.nlp.ling.CoreAnnotations;
import edu.stanford.nlp.ling.CoreLabel;
import edu.stanford.nlp.ling.IndexedWord;
import edu.stanford.nlp.pipeline.Annotation;
import edu.stanford.nlp.pipeline.StanfordCoreNLP;
import edu.stanford.nlp.semgraph.SemanticGraph;
import edu.stanford.nlp.semgraph.SemanticGraphCoreAnnotations;
import edu.stanford.nlp.semgraph.SemanticGraphEdge;
import edu.stanford.nlp.util.CoreMap;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class OfficialTrees {
  private static final int PIECE = 200;

  public static void main(String[] args) throws Exception {
    StanfordCoreNLP parser = load(args[0]);
    int threads = Integer.parseInt(args[1]);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    ArrayDeque<Future<String>> pending = new ArrayDeque<>();
    PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    List<String> piece = new ArrayList<>();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      piece.add(line);
      if (piece.size() == PIECE) {
        List<String> lines = piece;
        pending.add(pool.submit(() -> parse(parser, lines)));
        piece = new ArrayList<>();
      }
      while (pending.size() > 4 * threads) out.print(pending.remove().get());
    }
    out.print(""); 
    List<String> rest = piece;
    pending.add(pool.submit(() -> parse(parser, rest)));
    while (!pending.isEmpty()) out.print(pending.remove().get());
    out.flush();
    pool.shutdown();
  }

  private static StanfordCoreNLP load(String model) {
    Properties options = new Properties();
    options.setProperty("annotators", "tokenize,ssplit,parse,lemma");
    options.setProperty("enforceRequirements", "false");  // the tags are the parser's own: no tagger
    options.setProperty("parse.model", model);
    return new StanfordCoreNLP(options);
  }

  private static String parse(StanfordCoreNLP parser, List<String> lines) {
    StringBuilder out = new StringBuilder();
    for (String line : lines) {
      int tab = line.indexOf('\t');
      String id = tab < 0 ? "x" : line.substring(0, tab);
      Annotation caption = new Annotation(line.substring(tab + 1));
      try {
        parser.annotate(caption);
      } catch (RuntimeException e) {
        System.err.println(id + ": " + e);
        continue;
      }
      int number = 0;
      for (CoreMap sentence : caption.get(CoreAnnotations.SentencesAnnotation.class)) {
        out.append("# id = ").append(id).append('.').append(number++).append('\n');
        write(sentence, out);
      }
    }
    return out.toString();
  }

  private static void write(CoreMap sentence, StringBuilder out) {
    SemanticGraph graph = sentence.get(SemanticGraphCoreAnnotations.BasicDependenciesAnnotation.class);
    for (CoreLabel token : sentence.get(CoreAnnotations.TokensAnnotation.class)) {
      IndexedWord word = graph.getNodeByIndexSafe(token.index());
      String head = "_";
      String relation = "_";
      if (word != null && graph.getRoots().contains(word)) {
        head = "0";
        relation = "root";
      } else if (word != null) {
        for (SemanticGraphEdge edge : graph.incomingEdgeIterable(word)) {
          head = Integer.toString(edge.getGovernor().index());
          relation = edge.getRelation().toString();
        }
      }
      out.append(token.index()).append('\t').append(token.word()).append('\t').append(token.lemma()).append('\t')
          .append(token.tag()).append('\t').append(head).append('\t').append(relation).append('\n');
    }
    out.append('\n');
  }
}
