import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { OneOf, Text } from '../shapes.ts'

/**
 * Where a user gives a card: here to the sandbox, and otherwise on a page of the gateway that this one leads to. What is in
 * the address opens one authorization, while it waits for a card.
 */
const open = {
  area: 'billing',
  auth: { public: true },
  isHtmlPage: true,
  params: { token: Type.String({ minLength: 1, maxLength: limits.publicToken }) },
  limit: { bucket: 'card-pages', times: limits.cardPagesPerHour, windowSeconds: 3_600 },
} as const
const reply = Type.Object({
  status: OneOf(['ACTIVE', 'REQUIRES_ACTION'], {
    description: 'REQUIRES_ACTION: the bank asks whether it is them',
  }),
})

export const openCardPage = operation('GET /c/:token', {
  ...open,
  summary: 'The page where a card is given',
  description: 'Who comes back from the gateway (`?back`) is told that the card is kept.',
  responseType: 'text/html',
  errors: ['CARD_PAGE_NOT_VALID', 'GATEWAY_REFUSED', 'GATEWAY_NOT_REACHED'],
})

export const giveCard = operation('POST /c/:token', {
  ...open,
  summary: 'Give a card to the sandbox',
  description: 'Its test cards only. Who accepts text/html is answered with a page.',
  body: {
    number: Text(limits.cardNumber, 1),
    expires: Type.String({
      maxLength: 7,
      pattern: '^(0[1-9]|1[0-2])/(\\d{2}|\\d{4})$',
      description: 'MM/YY',
    }),
  },
  reply,
  errors: ['CARD_PAGE_NOT_VALID', 'GATEWAY_REFUSED', 'GATEWAY_NOT_REACHED'],
})

export const answerCardBank = operation('POST /c/:token/bank', {
  ...open,
  summary: 'Say to the bank of a card that it is you, or not',
  body: { answer: OneOf(['YES', 'NO']) },
  reply,
  errors: ['CARD_PAGE_NOT_VALID', 'GATEWAY_REFUSED', 'GATEWAY_NOT_REACHED'],
})
