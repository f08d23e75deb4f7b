import * as v from 'valibot'
import { useRef } from 'preact/hooks'
import type { VNode } from 'preact'
import { CheckoutVersion } from '../../../../contract/api/checkouts/checkout-resource.ts'
import type { PreviewSettings } from '../../../../contract/dashboard/templates/template-preview.ts'
import { useApp } from '../../../app-context.ts'
import { Tabs } from '../../../components/data/tabs.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Loaded } from '../../../loading/loaded.tsx'
import { useResource } from '../../../loading/use-resource.ts'
import { hrefWith } from '../../../router/query.ts'
import { templateTexts } from '../texts.ts'
import { usePreview } from './use-preview.ts'
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
