import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { OneOf, Text } from '../shapes.ts'
import { Type } from '../type.ts'

/**
 * The page on which a user enters a card: the sandbox’s form, or a link to the gateway’s own page. The token opens
 * one authorization, while it waits for a card.
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
    description: 'REQUIRES_ACTION: the bank asks the user to authenticate',
  }),
})

export const openCardPage = operation('GET /c/:token', {
  ...open,
  summary: 'Open the card page of a payment authorization',
  description: 'Shows that the card is saved when the user returns from the gateway (`?back`).',
  responseType: 'text/html',
  errors: ['CARD_PAGE_NOT_VALID', 'GATEWAY_REFUSED', 'GATEWAY_NOT_REACHED'],
})

export const giveCard = operation('POST /c/:token', {
  ...open,
  summary: 'Save a card in the sandbox',
  description:
    'Accepts the sandbox’s test cards only. Replies with a page when the client accepts text/html.',
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
  summary: 'Answer the bank’s question about a card in the sandbox',
  body: { answer: OneOf(['YES', 'NO']) },
  reply,
  errors: ['CARD_PAGE_NOT_VALID', 'GATEWAY_REFUSED', 'GATEWAY_NOT_REACHED'],
})
