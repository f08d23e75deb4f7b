import { Argument, InvalidArgumentError } from '@commander-js/extra-typings'
import * as v from 'valibot'
import { Email } from '../../contract/dashboard/people/credentials.ts'
import { Role } from '../../contract/dashboard/people/role.ts'
import type { ListedUser } from '../domains/users/account-store.ts'
import { CommandFault, exampleText, group, JSON_OPTION, MERCHANT_ID, noMerchant } from './command.ts'
import type { CommandContext, OnDatabase } from './command.ts'

export function userCommands(onDatabase: OnDatabase) {
  const users = group(
    'users',
    'the people who sign in to the dashboard',
    'svc users add 65b0c1f2e4a7d83b5c9f0a12 ada@acme.example owner',
  )
  users
    .command('add')
    .description(
      "Shows a link, good once within seven days, by which a person joins a merchant's team at the dashboard.",
    )
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .argument('<EMAIL>', "the person's address", emailOf)
    .addArgument(new Argument('<ROLE>', 'what the person may do').choices(Role.options))
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc users add 65b0c1f2e4a7d83b5c9f0a12 ada@acme.example owner'))
    .action(
      onDatabase(async ({ config, users: all, output }, merchantId, email, role, format) => {
        refuseWithoutDashboard(config)
        const made = await all.invite(merchantId, email, role)
        if (made === 'no_merchant') throw noMerchant(merchantId)
        if (typeof made !== 'object') throw new CommandFault(`${email} is in that team already.`)
        output.show(format, linkDocument(made))
      }),
    )
  users
    .command('list')
    .description('Lists who may sign in to the dashboard, with a line for each team that a person is in.')
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc users list'))
    .action(
      onDatabase(async ({ users: all, output }, format) => {
        const found = await all.list()
        output.show(format, { users: found.map(documentOf) }, found.map(lineOf))
        if (found.length === 0)
          output.note('Nobody can sign in yet: svc users add makes a link for the first.')
      }),
    )
  addEndings(users, onDatabase)
  return users
}

function addEndings(users: ReturnType<typeof group>, onDatabase: OnDatabase): void {
  users
    .command('remove')
    .description(
      'Ends at once all that a person could do at the dashboard, in every team, with every open invitation to that address.',
    )
    .argument('<EMAIL>', "the person's address", emailOf)
    .addHelpText('after', exampleText('svc users remove ada@acme.example'))
    .action(
      onDatabase(async ({ users: all, output }, email) => {
        const removed = await all.remove(email)
        if (removed === null) throw inNoTeam(email)
        output.line(`${email} cannot sign in any more.`)
        for (const merchantId of removed.withoutOwner)
          output.note(
            `Merchant ${merchantId} has no owner now: svc users add ${merchantId} EMAIL owner makes a link for another.`,
          )
      }),
    )
  users
    .command('reset')
    .description(
      "Ends a person's password, sessions and open invitations to others, and shows a link, good once within seven days, by which the person sets a new password.",
    )
    .argument('<EMAIL>', "the person's address", emailOf)
    .option('--second-factor', 'end the authenticator app, passkeys and recovery codes, too')
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc users reset ada@acme.example --second-factor'))
    .action(
      onDatabase(async ({ config, users: all, output }, email, { secondFactor = false, json }) => {
        refuseWithoutDashboard(config)
        const reset = await all.reset(email, { secondFactors: secondFactor })
        if (reset === null) throw inNoTeam(email)
        const revoked = reset.revoked.map(({ merchantId: merchant_id, email: to, role }) => {
          return { merchant_id, email: to, role }
        })
        output.show(
          { json },
          {
            ...linkDocument(reset),
            second_factors_kept: reset.secondFactorsKept,
            revoked_invitations: revoked,
          },
        )
      }),
    )
}

function emailOf(given: string): string {
  const email = v.safeParse(Email, given)
  if (!email.success) throw new InvalidArgumentError('It must be an address such as ada@acme.example.')
  return email.output
}

/** A link is useless where no dashboard is served. */
function refuseWithoutDashboard({ dashboardPort }: CommandContext['config']): void {
  if (dashboardPort === null)
    throw new CommandFault('There is no dashboard: set SVC_DASHBOARD_URL, for the service too.')
}

const inNoTeam = (email: string) => new CommandFault(`${email} is in no team.`)

const linkDocument = ({ link, endsAt }: { link: string; endsAt: Date }) => ({
  link,
  expires_at: endsAt.toISOString(),
})

const documentOf = ({ email, name, merchantId, role, hasSecondFactor, seenAt }: ListedUser) => ({
  email,
  name,
  merchant_id: merchantId,
  role,
  has_second_factor: hasSecondFactor,
  seen_at: seenAt?.toISOString() ?? null,
})

function lineOf({ email, merchantId, role, hasSecondFactor, seenAt }: ListedUser): string {
  const team = merchantId === null ? 'in no team' : `${role ?? ''} of ${merchantId}`
  const factors = hasSecondFactor ? 'with a second factor' : 'password only'
  return `${email}  ${team}  ${factors}  ${seenAt === null ? 'not seen yet' : `seen ${seenAt.toISOString()}`}`
}
