import * as v from 'valibot'
import { PreviewCommand } from '../contract/dashboard/templates/template-preview.ts'
import type { PreviewReport } from '../contract/dashboard/templates/template-preview.ts'

type WithoutChannel<Message> = Message extends unknown ? Omit<Message, 'channel'> : never

interface DashboardChannel {
  report: (report: WithoutChannel<PreviewReport>) => void
  /** Ignores messages that are not the dashboard's, or no commands. */
  listen: (hear: (command: PreviewCommand) => void) => void
}

/** Speaks with the dashboard, whose page frames this document. */
export function openDashboardChannel(window: Window, dashboard: string): DashboardChannel {
  const { parent } = window
  return {
    report: (report) => parent.postMessage({ channel: 'preview.svc', ...report }, dashboard),
    listen: (hear) =>
      window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
        if (source !== parent || origin !== dashboard) return
        const command = v.safeParse(PreviewCommand, data)
        if (command.success) hear(command.output)
      }),
  }
}
