import { describe, expect, test } from "vitest";
import { acceptedBy, deliveries, type Language } from "../support/languages.ts";

const languages: readonly Language[] = [
  {
    fence: "php",
    needs: "php",
    files: (block) => ({
      "main.php":
        `<?php\n${block}\nforeach (array_chunk(array_slice($argv, 1), 4) as [$file, $header, ` +
        "$secret, $now]) {\n" +
        "  $isRight = verify(file_get_contents($file), $header, [$secret], (int) $now);\n" +
        '  echo $isRight ? "true\\n" : "false\\n";\n}\n',
    }),
    run: ["php", "main.php"],
  },
  {
    fence: "go",
    needs: "go",
    files: (block) => ({
      "main.go": `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
)

${block}
func main() {
	for args := os.Args[1:]; len(args) > 0; args = args[4:] {
		body, _ := os.ReadFile(args[0])
		now, _ := strconv.ParseInt(args[3], 10, 64)
		fmt.Println(verify(body, args[1], []string{args[2]}, now))
	}
}
`,
    }),
    build: [["go", "build", "-o", "main", "main.go"]],
    run: ["./main"],
  },
  {
    fence: "ruby",
    needs: "ruby",
    files: (block) => ({
      "main.rb":
        `${block}\nARGV.each_slice(4) do |file, header, secret, now|\n` +
        "  puts verify(File.binread(file), header, [secret], now.to_i)\nend\n",
    }),
    run: ["ruby", "main.rb"],
  },
  {
    fence: "java",
    needs: "javac",
    files: (block) => ({
      "Signature.java": block,
      "Main.java": `import java.nio.file.*;
import java.util.List;
class Main {
  public static void main(String[] args) throws Exception {
    for (int at = 0; at < args.length; at += 4)
      System.out.println(Signature.verify(Files.readAllBytes(Path.of(args[at])), args[at + 1],
          List.of(args[at + 2]), Long.parseLong(args[at + 3])));
  }
}
`,
    }),
    build: [["javac", "Signature.java", "Main.java"]],
    run: ["java", "-cp", ".", "Main"],
  },
  {
    fence: "csharp",
    needs: "mcs",
    files: (block) => ({
      "Signature.cs": block,
      "Main.cs": `using System;
using System.IO;
static class Program
{
    static void Main(string[] args)
    {
        for (var at = 0; at < args.Length; at += 4)
            Console.WriteLine(Signature.Verify(File.ReadAllBytes(args[at]), args[at + 1],
                new[] { args[at + 2] }, long.Parse(args[at + 3])));
    }
}
`,
    }),
    build: [["mcs", "-out:main.exe", "Signature.cs", "Main.cs"]],
    run: ["mono", "main.exe"],
  },
];

describe.each(languages)("the function of docs/signature.md in $fence", (language) => {
  const accepted = acceptedBy(language);

  test.each(deliveries.map((delivery, index) => ({ ...delivery, index })))(
    "$name: accepted is $accepted",
    (delivery) => {
      expect(accepted[delivery.index]).toBe(delivery.accepted);
    },
  );
});
