import * as v from 'valibot'

/** Where a script runs: in the merchant's own page, or in the frame that takes the card, which is the service's. */
const ScriptPlace = v.picklist(['page', 'frame'])

/** A script of the payment page, for the inventory that PCI DSS 4.0.1 asks for (requirement 6.4.3). */
export const ScriptEntry = v.strictObject({
  place: ScriptPlace,
  /** Its address; of a script that stands in a document, the document's. */
  url: v.string(),
  /** `sha384-…` or `sha256-…`, by which a browser checks it. */
  integrity: v.string(),
  /** What it is needed for: the written justification. */
  purpose: v.string(),
  /** How its integrity is assured. */
  assurance: v.string(),
})
export type ScriptEntry = v.InferOutput<typeof ScriptEntry>

/** Answer of `GET /api/pci`: what a merchant needs for its self-assessment, of the SDK release in use. */
export const PciKit = v.strictObject({
  release: v.string(),
  files: v.array(v.strictObject({ url: v.string(), bytes: v.number(), integrity: v.string() })),
  scripts: v.array(ScriptEntry),
  /** To copy into the page. */
  script_tag: v.string(),
  /** Of the header `Content-Security-Policy`, to copy. */
  content_security_policy: v.string(),
})
export type PciKit = v.InferOutput<typeof PciKit>
