import { required } from '../../required.ts'
import { GatewayRefused } from './port.ts'

/** How the bank of a card behaves. By default everything succeeds at once. */
export type Behaviour = {
  /** Charges fail with this decline code, or with this code when the card itself is invalid. */
  declines?: { code: string; declineCode: string | null; message: string }
  /** Saving the card fails too. */
  refusesSetup?: true
  /** The bank asks for authentication: once, when the card is saved, or for every charge. */
  asks?: 'once' | 'always'
  /** Charges take a while, and then end like this. */
  processes?: 'succeeded' | 'failed'
  /** The charge succeeds, but the answer is lost. */
  isSilent?: true
  /** Refunds take a while and succeed, or succeed and fail later. */
  refunds?: 'pending' | 'failed'
  /** The holder disputes the charge at once. */
  isDisputed?: true
}

const declined = (declineCode: string, message: string) => ({ code: 'card_declined', declineCode, message })
const faulty = (code: string, message: string) => ({ code, declineCode: null, message })

/** Test card numbers, the same as in Stripe's test mode where it has one. */
const cards: Record<string, Behaviour> = {
  '4242424242424242': {},
  '5555555555554444': {},
  '378282246310005': {},
  '4000000000000002': {
    declines: declined('generic_decline', 'Your card was declined.'),
    refusesSetup: true,
  },
  '4000000000000341': { declines: declined('generic_decline', 'Your card was declined.') },
  '4000000000009995': { declines: declined('insufficient_funds', 'Your card has insufficient funds.') },
  '4000000000009987': { declines: declined('lost_card', 'Your card was declined.') },
  '4000000000000069': { declines: faulty('expired_card', 'Your card has expired.'), refusesSetup: true },
  '4000000000000127': {
    declines: faulty('incorrect_cvc', 'Your card’s security code is incorrect.'),
    refusesSetup: true,
  },
  '4000000000000119': {
    declines: faulty('processing_error', 'An error occurred while processing your card.'),
  },
  '4000002500003155': { asks: 'once' },
  '4000002760003184': { asks: 'always' },
  '4000000000001000': { processes: 'succeeded' },
  '4000000000001018': { processes: 'failed' },
  '4000000000001026': { isSilent: true },
  '4000000000007726': { refunds: 'pending' },
  '4000000000005126': { refunds: 'failed' },
  '4000000000000259': { isDisputed: true },
}

/** Parses a card number. Refuses an invalid number, and a number that is not a test card. */
export function cardOf(number: string): { number: string; brand: string; last4: string } {
  const digits = number.replaceAll(/[ -]/g, '')
  if (!/^\d{12,19}$/.test(digits) || !isSound(digits))
    throw new GatewayRefused(faulty('incorrect_number', 'Your card number is incorrect.'))
  if (!(digits in cards)) {
    throw new GatewayRefused(declined('test_mode_live_card', 'The sandbox takes its own test cards only.'))
  }
  return { number: digits, brand: brandOf(digits), last4: digits.slice(-4) }
}

export function behaviourOf(number: string): Behaviour {
  return required(cards[number], 'the behaviour of a test card')
}

function brandOf(digits: string): string {
  return required(
    { '3': 'amex', '4': 'visa', '5': 'mastercard' }[digits.charAt(0)],
    'the brand of a test card',
  )
}

/** The Luhn check digit. */
function isSound(digits: string): boolean {
  const sum = [...digits].reverse().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
