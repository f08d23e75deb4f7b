import type { VNode } from 'preact'

/** Drawings of 16 × 16, in lines. */
const DRAWINGS = {
  overview: 'M2.5 13.5v-4M6.2 13.5v-8M9.8 13.5v-6M13.5 13.5v-11',
  charges:
    'M1.75 4.75c0-.8.6-1.5 1.5-1.5h9.5c.9 0 1.5.7 1.5 1.5v6.5c0 .8-.6 1.5-1.5 1.5h-9.5c-.9 0-1.5-.7-1.5-1.5zM1.75 6.5h12.5M4.25 10.25h2.5',
  checkouts: 'M1.5 2.5h1.7l1.6 7.2h7l1.5-5.2H3.8M5.6 13.2h.01M11 13.2h.01',
  agreements: 'M13.2 6.5A5.4 5.4 0 0 0 3.4 5M2.8 9.5a5.4 5.4 0 0 0 9.8 1.5M3.2 2v3.2h3.2M12.8 14v-3.2H9.6',
  payments: 'M2 5h11M10.2 2.2 13 5l-2.8 2.8M14 11H3M5.8 8.2 3 11l2.8 2.8',
  disputes: 'M3.5 14.2V1.8M3.5 2.8h9.2l-2.4 3 2.4 3H3.5',
  templates:
    'M2 3.5c0-.8.7-1.5 1.5-1.5h9c.8 0 1.5.7 1.5 1.5v9c0 .8-.7 1.5-1.5 1.5h-9c-.8 0-1.5-.7-1.5-1.5zM2 6h12M6.2 6v8',
  key: 'M10.2 9.2a3.6 3.6 0 1 0-3.4-3.4L1.8 10.8v3.4h3.4v-1.9h1.9v-1.9h1.9zM10.9 5.1h.01',
  webhooks:
    'M8 2.2a2.6 2.6 0 0 1 1.3 4.9l2.3 3.7M6.4 6.9 4.3 10.4a2.3 2.3 0 1 0 2.3 2.3h5.2a2 2 0 1 0-.4-1.9',
  gateways: 'M5.5 2v3.2M10.5 2v3.2M3.5 5.2h9v2.3a4.5 4.5 0 0 1-9 0zM8 12v2.5',
  people:
    'M6 7.4a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2M1.2 13.6c0-2.4 2-4 4.8-4s4.8 1.6 4.8 4M10.8 2.4a2.6 2.6 0 0 1 0 4.8M12.3 9.9c1.6.5 2.5 1.9 2.5 3.7',
  events: 'M5.5 3.5h8.5M5.5 8h8.5M5.5 12.5h8.5M2.2 3.5h.01M2.2 8h.01M2.2 12.5h.01',
  person: 'M8 7.6a2.9 2.9 0 1 0 0-5.8 2.9 2.9 0 0 0 0 5.8M2.5 14.2c0-2.6 2.3-4.4 5.5-4.4s5.5 1.8 5.5 4.4',
  company:
    'M3 14V3.2c0-.7.5-1.2 1.2-1.2h4.6c.7 0 1.2.5 1.2 1.2V14M10 6.5h2c.6 0 1 .4 1 1V14M1.5 14h13M5.3 5h2.4M5.3 8h2.4M5.3 11h2.4',
  shield: 'M8 1.8 13 3.6v4.1c0 3-2 5.4-5 6.5-3-1.1-5-3.5-5-6.5V3.6zM5.7 8l1.7 1.7 3-3.3',
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  check: 'M3 8.5l3.3 3.3L13 4.8',
  copy: 'M5.5 5.5h6.8c.7 0 1.2.5 1.2 1.2v6.1c0 .7-.5 1.2-1.2 1.2H6.7c-.7 0-1.2-.5-1.2-1.2zM10.5 5.5V3.2C10.5 2.5 10 2 9.3 2H3.2C2.5 2 2 2.5 2 3.2v6.1c0 .7.5 1.2 1.2 1.2h2.3',
  down: 'M4 6.2 8 10.2l4-4',
  next: 'M6 3.5 10.5 8 6 12.5',
  back: 'M10 3.5 5.5 8 10 12.5',
  search: 'M7 12.2A5.2 5.2 0 1 0 7 1.8a5.2 5.2 0 0 0 0 10.4M10.8 10.8l3.5 3.5',
  plus: 'M8 3v10M3 8h10',
  download: 'M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11',
  external: 'M9.5 2.5h4v4M13.2 2.8 7.5 8.5M11.5 9.5v3c0 .6-.4 1-1 1h-7c-.6 0-1-.4-1-1v-7c0-.6.4-1 1-1h3',
  warning: 'M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.6h.01',
  info: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4M8 7.3v3.7M8 5.1h.01',
  ring: 'M8 12.4a4.4 4.4 0 1 0 0-8.8 4.4 4.4 0 0 0 0 8.8',
  clock: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4M8 4.6V8l2.3 1.5',
  dash: 'M4 8h8',
  undo: 'M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M5.8 3.5 2.8 6.5l3 3',
  exit: 'M6.5 2.5h-3c-.6 0-1 .4-1 1v9c0 .6.4 1 1 1h3M10.5 5 13.5 8l-3 3M13.2 8H6.5',
  keyboard:
    'M1.5 5c0-.8.7-1.5 1.5-1.5h10c.8 0 1.5.7 1.5 1.5v6c0 .8-.7 1.5-1.5 1.5H3c-.8 0-1.5-.7-1.5-1.5zM4.5 6.5h.01M7 6.5h.01M9.5 6.5h.01M11.8 6.5h.01M5 9.5h6',
  bin: 'M2.5 4h11M6 4V2.5h4V4M4 4l.6 9c0 .6.5 1 1 1h4.8c.6 0 1-.4 1-1L12 4',
} as const

export type IconName = keyof typeof DRAWINGS

interface IconProps {
  name: IconName
  /** Absent: it only repeats a text beside it. */
  label?: string
}

/** An icon in the colour of the text around it. */
export function Icon({ name, label }: IconProps): VNode {
  return (
    <svg
      class="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d={DRAWINGS[name]} />
    </svg>
  )
}
