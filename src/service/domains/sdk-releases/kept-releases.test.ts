import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { WORKFLOW_VERSIONS } from '../../../contract/api/checkouts/workflow-versions.ts'
import { frameTemplateOf } from './documents.ts'
import { frameSetup } from './card-form-document.ts'
import type { FrameDeps } from './card-form-document.ts'
import { readReleases } from './read-releases.ts'
import { recommend } from './release.ts'
import type { ReleaseFile } from './release.ts'

const URLS = {
  tokens: 'https://pay.example/v1/payment_sources/tokens',
  languages: 'https://cards.example/sdk/',
}

/** What the frame of 1.0.0 was released to take; written down here, as it can't change any more. */
const Language = v.object({ code: v.string(), words: v.record(v.string(), v.string()) })
const FirstSetup = v.variant('ready', [
  v.object({
    ready: v.literal(true),
    public_key: v.string(),
    gateway_id: v.string(),
    gateway_type: v.string(),
    tokens_url: v.literal(URLS.tokens),
    languages_url: v.literal(URLS.languages),
    language: Language,
  }),
  v.object({
    ready: v.literal(false),
    language: Language,
    error: v.object({ code: v.string(), message: v.string() }),
  }),
])

const deps: FrameDeps = {
  merchants: {
    keys: {
      holderOf: (key) => Promise.resolve(key === 'pk_known' ? { id: 'merchant', allowedOrigins: [] } : null),
    },
    gatewayOf: () => Promise.resolve({ type: 'sandbox' }),
  },
  tokensUrl: URLS.tokens,
  widgetUrl: 'https://widget.example',
  previewAncestors: [],
  today: () => '2026-11-22',
}

const releases = readReleases(['releases'])

const sha256Of = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

describe('the releases that are kept', () => {
  it('are as they were released, each of them', () => {
    expect(releases.map(({ version }) => `v${version}`).toSorted()).toEqual(
      readdirSync('releases').toSorted(),
    )
  })

  // As `sha256sum * | sha256sum` tells it of a folder with these files.
  it.each([
    ['1.0.0', 43, '220e0b34647f4e62fb0469dafa2eee61c0ad9da6ad6bbf55f145ebec3c633040'],
    ['1.1.0', 75, 'ff5b1f6aa01e39f05535b40654de201395ff09320e44d65e53948bc1729e242b'],
  ])('hold, as %s, the %i files of its first day, byte for byte', (wanted, count, digest) => {
    const files = releases.find(({ version }) => version === wanted)?.files ?? new Map<string, ReleaseFile>()
    const lines = [...files]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, { content }]) => `${sha256Of(content)}  ${path}\n`)
    expect([lines.length, sha256Of(lines.join(''))]).toEqual([count, digest])
  })

  it('serve what they served on their first day', () => {
    expect(releases.find(({ version }) => version === '1.0.0')?.workflowVersions).toEqual([1])
  })

  it.each(WORKFLOW_VERSIONS.filter(({ version }) => version === 1))(
    'serve workflow version $version, retired or not',
    ({ version }) => {
      expect(recommend(releases, { workflowVersion: version, environment: 'sandbox' })).not.toBeNull()
    },
  )
})

describe.each(releases.map((release) => [release.version, release] as const))(
  'the frame of release %s',
  (_, release) => {
    it.each(['pk_known', 'pk_wrong'])('takes the set-up that today’s service makes for %s', async (key) => {
      const { setup } = await frameSetup(deps, { publicKey: key, gatewayId: 'default' }, URLS.languages)
      const html = frameTemplateOf(release, 'frame').fill(setup, 'fr').toString()
      const [, json = ''] = /<script type="application\/json" id="svc-setup">(.*?)<\/script>/.exec(html) ?? []
      const taken = v.parse(FirstSetup, JSON.parse(json))
      expect([taken.ready, taken.language.code]).toEqual([key === 'pk_known', 'fr'])
    })

    it('is in the language without its region, where the release has none of the region', async () => {
      const { setup } = await frameSetup(
        deps,
        { publicKey: 'pk_known', gatewayId: 'default' },
        URLS.languages,
      )
      const template = frameTemplateOf(release, 'frame')
      const isRegional = release.files.has('languages/pt-BR.json')
      const language = isRegional ? 'pt-BR' : 'pt'
      expect(template.fill(setup, 'pt-BR').equals(template.fill(setup, language))).toBe(true)
    })
  },
)
