import { Option } from '@commander-js/extra-typings'
import { listNotifications, replayNotification } from '../domains/notifications/notification-store.ts'
import type { ListedNotification } from '../domains/notifications/notification-store.ts'
import { CommandFault, exampleText, group, JSON_OPTION } from './command.ts'
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
