import * as v from 'valibot'
import { useRef, useEffect } from 'preact/hooks'
import type { VNode, RefObject } from 'preact'
import { CheckoutVersion } from '../../../../contract/api/checkouts/checkout-resource.ts'
import type {
  PreviewSettings,
  PreviewCommand,
} from '../../../../contract/dashboard/templates/template-preview.ts'
import { useApp } from '../../../app-context.ts'
import { Tabs } from '../../../components/data/tabs.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Loaded } from '../../../loading/loaded.tsx'
import { useResource } from '../../../loading/use-resource.ts'
import { hrefWith } from '../../../router/query.ts'
import { templateTexts } from '../texts.ts'
import { useSignal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { PreviewReport } from '../../../../contract/dashboard/templates/template-preview.ts'
import './preview.css'

const { preview: texts } = templateTexts

const Versions = v.array(CheckoutVersion)

interface TemplatePreviewProps {
  version: number
  /** Null while the form holds what can't be shown. */
  settings: PreviewSettings | null
}

/** How the card form looks by a template, at the width of a phone or of a desktop. */
export function TemplatePreview({ version, settings }: TemplatePreviewProps): VNode {
  const versions = useResource('/v1/checkouts/versions', Versions)
  const { place } = useApp().router
  const isWide = place.value.query.get('width') === 'desktop'
  const tabs = [
    { href: hrefWith(place.value, { width: null }), words: texts.phone, isCurrent: !isWide },
    { href: hrefWith(place.value, { width: 'desktop' }), words: texts.desktop, isCurrent: isWide },
  ]
  const shown = useRef<PreviewSettings>({})
  if (settings !== null) shown.current = settings
  return (
    <section class="template-preview" aria-label={texts.title}>
      <Tabs label={texts.width} tabs={tabs} />
      {settings === null && <Notice tone="warning">{texts.waits}</Notice>}
      <Loaded of={versions}>
        {(known) => {
          const sdk = known.find((one) => one.version === version)?.recommended_sdk_version_url
          if (!sdk) return <Notice tone="info">{texts.noRelease}</Notice>
          const address = new URL('preview', sdk).href
          return <PreviewFrame key={address} address={address} settings={shown.current} isWide={isWide} />
        }}
      </Loaded>
      <p class="hint">{texts.lacks}</p>
    </section>
  )
}

interface PreviewFrameProps {
  address: string
  settings: PreviewSettings
  isWide: boolean
}

/** The document of a release that shows its card form. It is of another origin, and may run its script and no more. */
function PreviewFrame({ address, settings, isWide }: PreviewFrameProps): VNode {
  const frame = useRef<HTMLIFrameElement>(null)
  const state = usePreview(frame, address, settings).value
  return (
    <div
      class={isWide ? 'preview-screen desktop' : 'preview-screen phone'}
      aria-busy={state.kind === 'loading'}
    >
      {state.kind === 'loading' && <p class="soft preview-words">{texts.loading}</p>}
      {state.kind === 'failed' && <Notice tone="bad">{texts.failed(state.words)}</Notice>}
      <iframe
        ref={frame}
        title={texts.frame}
        src={address}
        sandbox="allow-scripts allow-same-origin"
        referrerpolicy="no-referrer"
        height={state.kind === 'shown' ? state.height : 480}
        hidden={state.kind === 'failed'}
      />
    </div>
  )
}

/** What a preview shows. waiting: its document is loaded and has no form yet. */
type PreviewState =
  | { kind: 'loading' | 'waiting' }
  | { kind: 'shown'; height: number }
  | { kind: 'failed'; words: string }

/** How long the document of a preview may take to say that it is there. */
const MAX_LOADING_MS = 15_000
/** How long a person does not type before the preview is updated. */
const PAUSE_MS = 150

/** Keeps the document in a frame in step with settings. */
function usePreview(
  frame: RefObject<HTMLIFrameElement | null>,
  address: string,
  settings: PreviewSettings,
): ReadonlySignal<PreviewState> {
  const { browser } = useApp()
  const state = useSignal<PreviewState>({ kind: 'loading' })
  const channel = useRef<PreviewChannel | null>(null)
  const text = JSON.stringify(settings)
  useEffect(() => {
    if (frame.current === null) return
    const { origin } = new URL(address)
    const hear = (report: PreviewReport) => void (state.value = after(report))
    const opened = openPreviewChannel({ window: browser.window, frame: frame.current, origin, hear })
    channel.current = opened
    state.value = { kind: 'loading' }
    return opened.close
  }, [address])
  const isLoading = state.value.kind === 'loading'
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => {
      state.value = { kind: 'failed', words: templateTexts.preview.silent }
    }, MAX_LOADING_MS)
    return () => clearTimeout(timer)
  }, [isLoading])
  useEffect(() => {
    if (isLoading) return
    const timer = setTimeout(() => channel.current?.show(settings), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isLoading, text])
  return state
}

function after(report: PreviewReport): PreviewState {
  if (report.state === 'ready') return { kind: 'waiting' }
  if (report.state === 'shown') return { kind: 'shown', height: report.height }
  return { kind: 'failed', words: report.message }
}

/** Speaks with the document of a preview. */
interface PreviewChannel {
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
