import * as v from 'valibot'

/** What differs from run to run, and what is shown in its place. */
const VARYING: readonly (readonly [what: RegExp, by: string])[] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJIUzI1NiJ9.…'],
  [/(?<=")eyJ[\w-]+(?=")/g, 'eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IuKApiJ9'],
  [/http:\/\/localhost:8060/g, 'https://acs.bank.example'],
  [/http:\/\/localhost:9\/hooks/g, 'https://shop.acme.example/hooks/card'],
  [/\bwhsec_[\w+/=]+/g, 'whsec_…'],
  [/\bsha384-[\w+/=]+/g, 'sha384-…'],
  [
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
    '4f1c1f38-94a5-4f0b-8a0e-6c1f2b0f8a11',
  ],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\b/g, '2026-11-21T10:00:00.000Z'],
  [/(?<=")\d{4}-\d\d-\d\d(?=")/g, '2026-11-22'],
  [/(?<=")\d{12}(?=")/g, '402117553206'],
  [/(?<=")(?:::ffff:)?127\.0\.0\.1(?=")/g, '203.0.113.7'],
]

const Page = v.looseObject({ resource: v.looseObject({ data: v.array(v.unknown()) }) })

/** Only the first item of a page. */
function shortened(body: unknown): unknown {
  const { success, output } = v.safeParse(Page, body)
  if (!success) return body
  const { resource } = output
  return { ...output, resource: { ...resource, data: resource.data.slice(0, 1) } }
}

/** An answer as the documentation shows it: ids in their order, times and secrets replaced. */
export function normalised(body: unknown): unknown {
  const known = new Map<string, string>()
  const named = (id: string) => {
    const shown = known.get(id) ?? `6b01799184f819f4cecbe1${(0xa0 + known.size).toString(16)}`
    known.set(id, shown)
    return shown
  }
  const text = JSON.stringify(shortened(body)).replace(/\b[0-9a-f]{24}\b/g, named)
  const replaced = VARYING.reduce((shown, [what, by]) => shown.replace(what, by), text)
  const value: unknown = JSON.parse(replaced)
  return value
}

/** The names and types in a value, without the values themselves; a list is described by its first item. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}
