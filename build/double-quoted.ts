import * as v from 'valibot'

/** A template literal without expressions. */
const PlainTemplate = v.object({
  type: v.literal('TemplateLiteral'),
  start: v.number(),
  end: v.number(),
  quasis: v.tuple([v.object({ value: v.object({ cooked: v.string() }) })]),
  expressions: v.strictTuple([]),
})
type PlainTemplate = v.InferOutput<typeof PlainTemplate>

/**
 * Writes the minifier's plain template literals as strings in double quotes, which brotli's own dictionary and the markup
 * around the script are full of: 0.1 kB of the document.
 */
export function doubleQuoted(code: string, program: unknown): string {
  let written = ''
  let done = 0
  for (const { start, end, quasis } of plainTemplatesIn(program).sort((a, b) => a.start - b.start)) {
    written += code.slice(done, start) + JSON.stringify(quasis[0].value.cooked)
    done = end
  }
  return written + code.slice(done)
}

/** One with a tag keeps its form: its tag takes no string. */
function plainTemplatesIn(node: unknown): PlainTemplate[] {
  if (typeof node !== 'object' || node === null) return []
  const { success, output } = v.safeParse(PlainTemplate, node)
  if (success) return output.quasis[0].value.cooked.includes('"') ? [] : [output]
  return Object.entries(node).flatMap(([key, child]) => (key === 'quasi' ? [] : plainTemplatesIn(child)))
}
