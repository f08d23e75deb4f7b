import { describe, expect, it } from 'vitest'
import { call, everyCommand, isRightCall, wordsIn } from '../testing/operate.ts'

describe('help', () => {
  it('stands at each level, with what it does and one example that is a right call', async () => {
    const all = await everyCommand()
    expect(all.length).toBeGreaterThan(45)
    for (const { path, help } of all) {
      const [, example = ''] = /^Example:\n {2}svc (.*)$/m.exec(help) ?? []
      expect([path, wordsIn(example).slice(0, path.length)]).toEqual([path, path])
      expect([example, await isRightCall(wordsIn(example))]).toEqual([example, true])
    }
  })

  it.each([[[]], [['--help']], [['-h']], [['help']]])(
    'for %j lists every group and ends well',
    async (words) => {
      const { code, said, complained } = await call(words)
      expect([code, complained]).toEqual([0, ''])
      expect(said).toMatch(/ start [^]* migrate [^]* merchants [^]* outcomes /)
    },
  )

  it('of a group is shown where its command is left out, which is no call', async () => {
    const { code, said, complained } = await call(['keys'])
    expect([code, said]).toEqual([2, ''])
    expect(complained).toMatch(/^Usage: svc keys [^]* roll [^]* revoke /)
  })

  it.each([
    ['help merchants add', 'svc merchants add '],
    ['merchants help add', 'svc merchants add '],
    ['merchants add --name Acme -h', 'svc merchants add '],
    ['help help', 'svc '],
    ['help merchants', 'svc merchants '],
    ['help start more', 'svc start '],
  ])('is of the command that svc %s names', async (line, usage) => {
    const { code, said } = await call(line.split(' '))
    expect([code, said.slice(0, 7 + usage.length)]).toEqual([0, `Usage: ${usage}`])
  })

  it('has the version', async () => {
    expect(await call(['--version'])).toEqual({ code: 0, said: '9.9.9', complained: '' })
  })
})

const ID = '65b0c1f2e4a7d83b5c9f0a12'

describe('a wrong call ends with 2, and says in two lines', () => {
  it.each([
    ['merchant list', 'svc', "unknown command 'merchant'. Did you mean merchants?"],
    [
      'nope',
      'svc',
      "unknown command 'nope'. There are: start, migrate, maintenance, vault, audit, merchants, gateways, keys, clients, signing-keys, users, outcomes, notifications, webhooks, figures",
    ],
    ['merchants create', 'svc merchants', "unknown command 'create'. There are: add, list, show, change"],
    ['help merchnts', 'svc', "unknown command 'merchnts'. Did you mean merchants?"],
    ['help merchants ad', 'svc merchants', "unknown command 'ad'. Did you mean add?"],
    ['merchants help ad', 'svc merchants', "unknown command 'ad'. Did you mean add?"],
    ['merchants ad --help', 'svc merchants', "unknown command 'ad'. Did you mean add?"],
    ['merchants ad', 'svc merchants', "unknown command 'ad'. Did you mean add?"],
    ['merchants add --nmae Acme', 'svc merchants add', "unknown option '--nmae'. Did you mean --name?"],
    ['merchants add', 'svc merchants add', "required option '--name <NAME>' is missing"],
    ['merchants add --name', 'svc merchants add', "option '--name <NAME>' argument missing"],
    [
      'merchants add --name Acme --origin shop.acme.example',
      'svc merchants add',
      "option '--origin <ORIGIN>' argument 'shop.acme.example' is invalid. It must be scheme and host, like https://shop.acme.example.",
    ],
    ['merchants show', 'svc merchants show', "missing required argument 'MERCHANT_ID'"],
    [
      'merchants list more',
      'svc merchants list',
      "too many arguments for 'list'. Expected 0 arguments but got 1: more.",
    ],
    [
      `merchants change ${ID}`,
      'svc merchants change',
      'nothing to change: give --name, --pre-auth, --no-pre-auth, --origin or --every-page',
    ],
    [
      `merchants change ${ID} --every-page --origin https://a.example`,
      'svc merchants change',
      "option '--every-page' cannot be used with option '--origin <ORIGIN>'",
    ],
    [
      `keys roll ${ID} --kind both`,
      'svc keys roll',
      "option '--kind <KIND>' argument 'both' is invalid. Allowed choices are public, secret.",
    ],
    [
      `keys roll ${ID} --kind secret --overlap soon`,
      'svc keys roll',
      "option '--overlap <TIME>' argument 'soon' is invalid. It must be a time up to a year, such as 30m, 24h or 7d.",
    ],
    [
      `gateways add ${ID} other --merchant-account A`,
      'svc gateways add',
      "TYPE 'other' is invalid. Allowed choices are adyen, stripe.",
    ],
    [
      `users add ${ID} a@b.example boss`,
      'svc users add',
      "ROLE 'boss' is invalid. Allowed choices are owner, developer, viewer.",
    ],
    [
      'outcomes enter a1',
      'svc outcomes enter',
      'what was seen is missing: give --carried-out GATEWAY_ID or --not-carried-out',
    ],
    ['migrate --status --dry-run', 'svc migrate', "option '--dry-run' cannot be used with option '--status'"],
    [
      'maintenance on --retry-after 0',
      'svc maintenance on',
      "option '--retry-after <SECONDS>' argument '0' is invalid. It must be a number from 1 to 86400.",
    ],
  ])('what is wrong with svc %s', async (line, path, words) => {
    expect(await call(line.split(' '))).toEqual({
      code: 2,
      said: '',
      complained: `${path}: ${words}\n${path} --help shows how it is called.`,
    })
  })

  it('without sending what was typed to the terminal as commands', async () => {
    const { complained } = await call(['merchants', '\u001b[2J\u009b1m'])
    expect(complained).toContain(String.raw`unknown command '\u{1b}[2J\u{9b}1m'`)
  })

  it.each([
    [['merchants', 'add', '--name', 'Acme 4012 0000 3333 0026 01/39'], 4, 'card number'],
    [['merchants', 'add', '--name=4012-0000-3333-0026'], 3, 'card number'],
    [['4012000033330026'], 1, 'card number'],
    [['keys', 'revoke', 'sk_sandbox_-Nq4tKX0m_2Rv7yQhLw3Zb8cEj5uPdTs'], 3, 'secret (secret key)'],
  ])('that a card number or a secret was in it, which is not repeated: %j', async (words, place, kind) => {
    expect(await call(words)).toEqual({
      code: 2,
      said: '',
      complained: `svc: word ${place} after svc looks like a ${kind}; nothing was kept`,
    })
  })
})

it('without a database says where it looked for one, and ends with 1', async () => {
  const open = () => Promise.reject(new Error('SVC_DATABASE_URL (db.example/svc): connect ECONNREFUSED'))
  expect(await call(['audit', 'verify'], { open })).toEqual({
    code: 1,
    said: '',
    complained: 'svc: SVC_DATABASE_URL (db.example/svc): connect ECONNREFUSED',
  })
})

it.each([
  [['start'], true],
  [['start', '--no-migrate'], false],
])('svc %j starts the service, which changes the schema: %s', async (words, migrates) => {
  const started: object[] = []
  const { code } = await call(words, { start: (options) => started.push(options) })
  expect([code, started]).toEqual([null, [{ migrates }]])
})
