import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { isPageOrigin } from '../../contract/api/fields/page-origin.ts'
import type { Merchant } from '../domains/merchants/merchant-store.ts'
import { exampleText, group, JSON_OPTION, MERCHANT_ID, nameOf, noMerchant } from './command.ts'
import type { OnDatabase } from './command.ts'
import { gatewayDocument } from './gateways.ts'

export function merchantCommands(onDatabase: OnDatabase) {
  const merchants = group(
    'merchants',
    'the companies that payments are taken for',
    'svc merchants add --name "Acme"',
  )
  addAdd(merchants, onDatabase)
  merchants
    .command('list')
    .description('Lists every merchant, oldest first.')
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc merchants list'))
    .action(
      onDatabase(async ({ merchants: all, output }, format) => {
        const found = await all.list()
        output.show(
          format,
          {
            merchants: found.map((one) => ({
              ...merchantDocument(one),
              created_at: one.createdAt.toISOString(),
            })),
          },
          found.map((one) => `${lineOf(one)}  made ${one.createdAt.toISOString()}`),
        )
        if (found.length === 0) output.note('There are no merchants yet: svc merchants add makes one.')
      }),
    )
  merchants
    .command('show')
    .description('Shows a merchant and its gateways.')
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc merchants show 65b0c1f2e4a7d83b5c9f0a12'))
    .action(
      onDatabase(async ({ merchants: all, output }, id, format) => {
        const merchant = await all.read(id)
        if (merchant === null) throw noMerchant(id)
        const gateways = await all.gateways(id)
        output.show(format, { ...merchantDocument(merchant), gateways: gateways.map(gatewayDocument) })
      }),
    )
  addChange(merchants, onDatabase)
  return merchants
}

function addAdd(merchants: ReturnType<typeof group>, onDatabase: OnDatabase): void {
  merchants
    .command('add')
    .description(
      'Makes a merchant and shows its keys, this once. Its gateway is the sandbox, and in production none yet.',
    )
    .requiredOption('--name <NAME>', "the company's name", nameOf)
    .option('--pre-auth', 'let it hold funds and capture later')
    .option('--origin <ORIGIN>', 'a page that may show its card form; can be repeated', addOrigin)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      exampleText('svc merchants add --name "Acme" --pre-auth --origin https://shop.acme.example'),
    )
    .action(
      onDatabase(async ({ merchants: all, output }, { name, preAuth = false, origin = [], json }) => {
        const made = await all.make({ name, preAuth, allowedOrigins: origin }, () => undefined)
        output.show(
          { json },
          {
            merchant_id: made.merchant.id,
            gateway_id: made.gatewayId,
            public_key: made.publicKey,
            secret_key: made.secretKey,
          },
        )
      }),
    )
}

function addChange(merchants: ReturnType<typeof group>, onDatabase: OnDatabase): void {
  merchants
    .command('change')
    .description('Changes what the options name; running services follow at once.')
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .option('--name <NAME>', 'what it is called from now on', nameOf)
    .option('--pre-auth', 'let it hold funds and capture later')
    .option('--no-pre-auth', 'let it do so no longer')
    .option(
      '--origin <ORIGIN>',
      'a page that may show its card form, in place of those before; can be repeated',
      addOrigin,
    )
    .addOption(new Option('--every-page', 'let every page show its card form').conflicts('origin'))
    .addHelpText('after', exampleText('svc merchants change 65b0c1f2e4a7d83b5c9f0a12 --name "Acme Ltd"'))
    .hook('preAction', (command) => {
      if (Object.keys(command.opts()).length === 0)
        command.error(
          'error: nothing to change: give --name, --pre-auth, --no-pre-auth, --origin or --every-page',
        )
    })
    .action(
      onDatabase(async ({ merchants: all, output }, id, { name, preAuth, origin, everyPage }) => {
        if ((await all.read(id)) === null) throw noMerchant(id)
        if (name !== undefined) {
          await all.rename(id, name)
          output.line(`Merchant ${id} is called ${name}.`)
        }
        if (origin !== undefined || everyPage === true) {
          await all.setOrigins(id, origin ?? [])
          output.line(`${origin?.join(' ') ?? 'Every page'} may show the card form of merchant ${id}.`)
        }
        if (preAuth !== undefined) {
          await all.setPreAuth(id, preAuth)
          output.line(`Pre-Auth is ${preAuth ? 'on' : 'off'}; running services follow at once.`)
        }
      }),
    )
}

function addOrigin(origin: string, before: readonly string[] = []): string[] {
  if (!isPageOrigin(origin))
    throw new InvalidArgumentError('It must be scheme and host, like https://shop.acme.example.')
  return [...new Set([...before, origin])]
}

const merchantDocument = ({ id, name, preAuth, allowedOrigins }: Merchant) => ({
  merchant_id: id,
  name,
  pre_auth: preAuth,
  allowed_origins: allowedOrigins,
})

function lineOf({ id, name, preAuth, allowedOrigins }: Merchant): string {
  const origins = allowedOrigins.length === 0 ? 'every page' : allowedOrigins.join(' ')
  return `${id}  ${name}  ${origins}  pre-auth ${preAuth ? 'on' : 'off'}`
}
