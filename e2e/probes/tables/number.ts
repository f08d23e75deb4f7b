import type { KeyProbe, PasteProbe } from './probe.ts'

const VISA = '4012 0000 3333 0026'
const MASTERCARD = '5111 1111 1111 1118'

export const NUMBER_KEYS: readonly KeyProbe[] = [
  ['4012000033330026', VISA],
  ['4012 0000 3333 0026', VISA],
  ['4012-0000-3333-0026', VISA],
  ['4012.0000.3333.0026', VISA],
  ['  4012000033330026', VISA],
  ['371449635398431', '3714 496353 98431'],
  ['30569309025904', '3056 930902 5904'],
  ['3530111333300000', '3530 1113 3330 0000'],
  ['6759649826438453128', '6759 6498 2643 8453 128'],
  ['40120000333300264', VISA],
  ['51111111111111189', MASTERCARD],
  ['3714496353984310', '3714 496353 98431'],
  ['5111111111111119', '5111 1111 1111 1119', 'wrong_number'],
  ['401200', '4012 00', 'short_number'],
  ['0000', '0000', 'wrong_number'],
  ['4012{Backspace}', '401', 'short_number'],
  ['40120{Backspace}', '4012', 'short_number'],
  ['40120{Backspace}{Backspace}', '401', 'short_number'],
  ['40120000{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}{Backspace}', '4010 000', 'short_number'],
  ['40120000{Home}{Delete}', '0120 000', 'wrong_number'],
  ['42424{ArrowLeft}{ArrowLeft}{Delete}', '4242', 'short_number'],
  ['40123{Shift+ArrowLeft}{Shift+ArrowLeft}{Backspace}', '4012', 'short_number'],
  ['40123{ArrowLeft}{Shift+ArrowLeft}{Backspace}', '4012 3', 'short_number'],
  ['4012{SelectAll}5', '5', 'short_number'],
  ['4012{SelectAll}{Backspace}5111', '5111', 'short_number'],
  // One more digit in front makes it a number of another scheme, which may be that long.
  ['4012000033330026{Home}1', '1401 2000 0333 3002 6', 'wrong_number'],
  ['4012000033330026{Backspace}7', '4012 0000 3333 0027', 'wrong_number'],
  ['4012000033330026{ArrowLeft}{ArrowLeft}{Backspace}{Delete}06', '4012 0000 3333 0066', 'wrong_number'],
  ['abc4012def', '4012', 'short_number'],
  ['４０１２００００３３３３００２６', VISA],
  ['٤٠١٢٠٠٠٠٣٣٣٣٠٠٢٦', VISA],
]

export const NUMBER_PASTES: readonly PasteProbe[] = [
  ['', '4012000033330026', VISA],
  ['', '4012 0000 3333 0026', VISA],
  ['', '4012-0000-3333-0026', VISA],
  ['', '4012\u20130000\u20133333\u20130026', VISA],
  ['', '4012\u00a00000\u00a03333\u00a00026', VISA],
  ['', '4012\u20090000\u20093333\u20090026', VISA],
  ['', '\t4012 0000 3333 0026\n', VISA],
  ['', 'Card no: 4012 0000 3333 0026.', VISA],
  ['', '４０１２００００３３３３００２６', VISA],
  ['', '٤٠١٢٠٠٠٠٣٣٣٣٠٠٢٦', VISA],
  ['', '4012 0000 3333 0026 01/39 100', { card_number: VISA, expiry: '01 / 39', card_ccv: '100' }],
  ['', '4012000033330026\t01/2039\t100', { card_number: VISA, expiry: '01 / 39', card_ccv: '100' }],
  ['', '4012000033330026\n01/39\n100', { card_number: VISA, expiry: '01 / 39', card_ccv: '100' }],
  [
    '',
    'Card: 4012 0000 3333 0026, exp: 01/39, CVV: 100',
    { card_number: VISA, expiry: '01 / 39', card_ccv: '100' },
  ],
  [
    '',
    'Grace Hopper 5111 1111 1111 1118 exp 1/39',
    { card_number: MASTERCARD, expiry: '01 / 39', card_ccv: '' },
  ],
  [
    '',
    '3714 496353 98431 01/39 1000',
    { card_number: '3714 496353 98431', expiry: '01 / 39', card_ccv: '1000' },
  ],
  ['5111', '5111 1111 1111 1118', MASTERCARD],
  ['4012 0000{SelectAll}', '5111 1111 1111 1118', MASTERCARD],
  ['5111 1111 1111 1118', '4012 0000 3333 0026', VISA],
  ['', '6759 6498 2643 8453 128', '6759 6498 2643 8453 128'],
  ['', '5111 1111 1111 1118 and 4012 0000 3333 0026', MASTERCARD],
  ['', '40120000333300264', '4012 0000 3333 0026 4', 'wrong_number'],
  ['', '42424242424242424242424242', '4242 4242 4242 4242 4242424242', 'wrong_number'],
  ['', '4012 00', '4012 00', 'short_number'],
  ['4012{ArrowLeft}{ArrowLeft}', '99', '4099 12', 'short_number'],
  ['4012', 'hello', '4012', 'short_number'],
  ['4012 0000', ' 3333 0026', VISA],
]

export const UNDOS: readonly KeyProbe[] = [
  ['40120000{Undo}', '4012', 'short_number'],
  ['40120000{Undo}{Undo}', ''],
  ['40120000{Undo}{Undo}{Undo}{Undo}', ''],
  ['40120000{Undo}{Undo}{Redo}{Redo}', '4012 0000', 'short_number'],
  ['40120000{Backspace}{Backspace}{Undo}', '4012 0000', 'short_number'],
  ['40120000{SelectAll}5{Undo}', '4012 0000', 'short_number'],
  ['40120000{Undo}5', '4012 5', 'short_number'],
]

/** Dictated texts, which keyboards insert in one piece. */
export const NUMBER_DICTATIONS: readonly PasteProbe[] = [
  ['', 'five one one one one one one one one one one one one one one eight', MASTERCARD],
  ['', 'Five one one one, one one one one, one one one one, one one one eight.', MASTERCARD],
  ['', '5 1 1 1 1 1 1 1 1 1 1 1 1 1 1 8', MASTERCARD],
  ['', '5111 1111 1111 1118.', MASTERCARD],
  ['', 'forty twelve zero zero zero zero thirty three thirty three oh oh twenty six', VISA],
  ['', 'My card number is 4012 0000 3333 0026', VISA],
]
