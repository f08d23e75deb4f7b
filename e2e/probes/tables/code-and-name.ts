import type { KeyProbe, PasteProbe } from './probe.ts'

export const CODE_KEYS: readonly KeyProbe[] = [
  ['100', '100'],
  ['1000', '1000'],
  ['10', '10', 'wrong_code'],
  ['10000', '1000'],
  ['1 0 0', '100'],
  ['10a0', '100'],
  ['１００', '100'],
  ['١٠٠', '100'],
  ['100{Backspace}1', '101'],
  ['100{Home}2', '2100'],
  ['100{SelectAll}234', '234'],
]

export const CODE_DICTATIONS: readonly PasteProbe[] = [
  ['', 'one oh oh', '100'],
  ['', '1 0 0.', '100'],
]

export const NAMES: readonly KeyProbe[] = [
  ['Grace Hopper', 'Grace Hopper'],
  ['grace hopper', 'grace hopper'],
  ['GRACE B M HOPPER', 'GRACE B M HOPPER'],
  ['  Grace Hopper ', '  Grace Hopper '],
  ['G', 'G'],
  ["Sinéad O'Connor", "Sinéad O'Connor"],
  ['Sinéad O’Connor', 'Sinéad O’Connor'],
  ['Jean-Luc Müller', 'Jean-Luc Müller'],
  ['Łukasz Żółć', 'Łukasz Żółć'],
  ['Nguyễn Thị Minh', 'Nguyễn Thị Minh'],
  ['Þórunn Ægisdóttir', 'Þórunn Ægisdóttir'],
  ['山田太郎', '山田太郎'],
  ['ヤマダ タロウ', 'ヤマダ タロウ'],
  ['王小明', '王小明'],
  ['홍길동', '홍길동'],
  ['محمد علي', 'محمد علي'],
  ['אורי כהן', 'אורי כהן'],
  ['प्रिया शर्मा', 'प्रिया शर्मा'],
  ['Мария Иванова', 'Мария Иванова'],
  ['Γιώργος', 'Γιώργος'],
  ['J. R. R. Tolkien Jr.', 'J. R. R. Tolkien Jr.'],
  ['Henry VIII 3rd', 'Henry VIII 3rd'],
  ['X Æ A-12', 'X Æ A-12'],
  ['A&B Ltd. (Sydney)', 'A&B Ltd. (Sydney)'],
  ['🦊 Fox', '🦊 Fox'],
  ['Grace{Backspace}ious', 'Gracious'],
  ['5111 1111 1111 1118', '5111 1111 1111 1118', 'wrong_name'],
  ['G'.repeat(101), 'G'.repeat(101), 'long_text'],
]
