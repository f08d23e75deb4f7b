import * as v from 'valibot'

const SHORTEST = 4

const Word = v.pipe(v.string(), v.regex(/^\w+$/))
const WordLiteral = v.union([
  v.pipe(
    v.object({ type: v.literal('Literal'), value: Word }),
    v.transform(({ value }) => value),
  ),
  v.pipe(
    v.object({
      type: v.literal('TemplateLiteral'),
      quasis: v.tuple([v.object({ value: v.object({ cooked: Word }) })]),
    }),
    v.transform(({ quasis }) => quasis[0].value.cooked),
  ),
])

/** An array of words alone. */
const WordList = v.object({
  type: v.literal('ArrayExpression'),
  start: v.number(),
  end: v.number(),
  elements: v.pipe(v.array(WordLiteral), v.minLength(SHORTEST)),
})
type WordList = v.InferOutput<typeof WordList>

/** Writes each list of words as one text that is split, without the quotes and commas between them. */
export function wordLists(code: string, program: unknown): string {
  let written = ''
  let done = 0
  for (const { start, end, elements } of listsIn(program).sort((a, b) => a.start - b.start)) {
    written += `${code.slice(done, start)}"${elements.join(' ')}".split(" ")`
    done = end
  }
  return written + code.slice(done)
}

function listsIn(node: unknown): WordList[] {
  if (typeof node !== 'object' || node === null) return []
  const { success, output } = v.safeParse(WordList, node)
  return success ? [output] : Object.values(node).flatMap(listsIn)
}
