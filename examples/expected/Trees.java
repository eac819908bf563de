import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import edu.stanford.nlp.ling.*;
import edu.stanford.nlp.pipeline.*;
import edu.stanford.nlp.semgraph.*;
import edu.stanford.nlp.util.CoreMap;

/** Prints the trees that SPICE's parser gives the captions on standard input, one caption per line, in the columns of docs/parsing.md. */
public class Trees {
  public static void main(String[] args) throws IOException {
    Properties settings = new Properties();  // those of edu.anu.spice.Annotator
    settings.setProperty("annotators", "tokenize,ssplit,parse,lemma,ner");
    settings.setProperty("depparse.extradependencies", "MAXIMAL");
    StanfordCoreNLP parser = new StanfordCoreNLP(settings);
    BufferedReader captions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (String caption; (caption = captions.readLine()) != null;) {
      Annotation parsed = new Annotation(caption);
      parser.annotate(parsed);
      out.println("# text = " + caption);
      for (CoreMap sentence : parsed.get(CoreAnnotations.SentencesAnnotation.class)) {
        SemanticGraph tree = sentence.get(SemanticGraphCoreAnnotations.BasicDependenciesAnnotation.class);
        for (CoreLabel word : sentence.get(CoreAnnotations.TokensAnnotation.class)) {
          IndexedWord node = tree.getNodeByIndexSafe(word.index());
          String head = "_", relation = "_";
          if (node != null && tree.getRoots().contains(node)) { head = "0"; relation = "root"; }
          else if (node != null && tree.getParent(node) != null) {
            head = String.valueOf(tree.getParent(node).index());
            relation = tree.reln(tree.getParent(node), node).toString();
          }
          out.println(String.join("\t", String.valueOf(word.index()), word.word(), word.lemma(), word.tag(), head, relation));
        }
        out.println();
      }
    }
  }
}
