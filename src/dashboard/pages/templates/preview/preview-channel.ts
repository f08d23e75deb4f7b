import * as v from 'valibot'
import { PreviewReport } from '../../../../contract/dashboard/templates/template-preview.ts'
import type {
  PreviewCommand,
  PreviewSettings,
} from '../../../../contract/dashboard/templates/template-preview.ts'

/** Speaks with the document of a preview. */
export interface PreviewChannel {
  show: (settings: PreviewSettings) => void
  close: () => void
}

interface ChannelParts {
  window: Window
  frame: HTMLIFrameElement
  /** Origin of the document in the frame. */
  origin: string
  /** Receives the document's reports; messages from elsewhere, or that are no report, are ignored. */
  hear: (report: PreviewReport) => void
}

export function openPreviewChannel({ window, frame, origin, hear }: ChannelParts): PreviewChannel {
  const receive = ({ source, origin: from, data }: MessageEvent<unknown>) => {
    if (source !== frame.contentWindow || from !== origin) return
    const report = v.safeParse(PreviewReport, data)
    if (report.success) hear(report.output)
  }
  window.addEventListener('message', receive)
  return {
    show(settings) {
      const command: PreviewCommand = { channel: 'preview.svc', settings }
      frame.contentWindow?.postMessage(command, origin)
    },
    close: () => window.removeEventListener('message', receive),
  }
}
