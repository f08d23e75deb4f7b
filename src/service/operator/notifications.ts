import { Option } from '@commander-js/extra-typings'
import {
  dismissNotification,
  listNotifications,
  replayNotification,
} from '../domains/notifications/notification-store.ts'
import type { ListedNotification } from '../domains/notifications/notification-store.ts'
import { monotonicClock } from '../platform/clocks.ts'
import { startDatabaseClock } from '../platform/database/database-clock.ts'
import { createIds } from '../platform/identifiers.ts'
import { actor, CommandFault, exampleText, group, JSON_OPTION } from './command.ts'
import type { OnDatabase } from './command.ts'

const STATES = ['waiting', 'not_understood', 'unexplained', 'done'] as const

export function notificationCommands(onDatabase: OnDatabase) {
  const notifications = group(
    'notifications',
    'what gateways told of their own accord',
    'svc notifications list --state unexplained',
  )
  notifications
    .command('list')
    .description(
      'Lists notifications of one state, the newest first, 1000 at most. unexplained: it contradicts the charge, or no charge is known. not_understood: it can not be read. waiting: it is tried again.',
    )
    .addOption(new Option('--state <STATE>', 'which').choices(STATES).default('unexplained' as const))
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc notifications list --state not_understood'))
    .action(
      onDatabase(async ({ database, output }, { state, json }) => {
        const found = await listNotifications(database, state)
        output.show({ json }, { notifications: found.map(documentOf) }, found.map(lineOf))
        if (found.length === 0) output.note(`No notification is ${state.replace('_', ' ')}.`)
      }),
    )
  notifications
    .command('replay')
    .description('Has a running service work off a notification again, within a second.')
    .argument('<NOTIFICATION_ID>', 'the id of the notification: svc notifications list')
    .addHelpText('after', exampleText('svc notifications replay 65b0c1f2e4a7d83b5c9f0a78'))
    .action(
      onDatabase(async ({ database, output }, id) => {
        if (await replayNotification(database, id))
          output.line(
            `Notification ${id} is worked off again: svc notifications list shows what comes of it.`,
          )
        else throw new CommandFault(`There is no notification ${id}.`)
      }),
    )
  notifications
    .command('dismiss')
    .description(
      'Says that somebody has seen to a notification that could not be explained or read. It counts as done from then on; the audit log has who said so.',
    )
    .argument('<NOTIFICATION_ID>', 'the id of the notification: svc notifications list')
    .addHelpText('after', exampleText('svc notifications dismiss 65b0c1f2e4a7d83b5c9f0a78'))
    .action(
      onDatabase(async ({ database, output }, id) => {
        const createId = createIds(await startDatabaseClock(database, monotonicClock))
        const by = { eventId: createId(), actor: actor() }
        if (!(await dismissNotification(database, { id, merchantId: null }, by)))
          throw new CommandFault(
            `There is no notification ${id} that waits for a person: svc notifications list shows which do.`,
          )
        output.line(`Notification ${id} is dismissed.`)
      }),
    )
  return notifications
}

const documentOf = ({ received_at, sent, ...notification }: ListedNotification) => ({
  ...notification,
  received_at: received_at.toISOString(),
  sent: sent.item,
})

function lineOf({ id, name, gateway_id, charge_id, received_at, why }: ListedNotification): string {
  const charge = charge_id === null ? 'no charge' : `charge ${charge_id}`
  return [id, received_at.toISOString(), `gateway ${gateway_id}`, name, charge, why ?? ''].join('  ')
}
