import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import {
  Cents,
  Currency,
  Day,
  Id,
  Name,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Text,
  Time,
} from '../shapes.ts'
import { editAccess, viewAccess } from './access.ts'
import { countLimitNote, expectedUpdatedAt } from './shapes.ts'

const id = { id: Id }

export const budgetStatuses = ['DRAFT', 'SENT', 'SIGNED', 'DECLINED', 'CANCELLED'] as const
export type BudgetStatus = (typeof budgetStatuses)[number]
export const BudgetStatus = OneOf(budgetStatuses)
export const discountKinds = ['PERCENT', 'AMOUNT'] as const
export const DiscountKind = OneOf(discountKinds)

/** Digits with up to four decimals, so that nothing is lost as in a floating number. */
const Quantity = Type.String({
  maxLength: 14,
  pattern: '^\\d{1,9}(?:\\.\\d{1,4})?$',
  description: 'Digits with up to four decimals: `2.5`',
})
const Rate = Type.String({
  maxLength: 9,
  pattern: '^-?\\d{1,3}(?:\\.\\d{1,4})?$',
  description:
    'Of a hundred, from -100 to 100, with up to four decimals: `21`. Less than nothing is kept back',
})
const value = {
  description: 'With PERCENT a text as of a rate, from 0 to 100; with AMOUNT cents as an integer',
}
export const DiscountValue = Named(
  Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    pattern: '^\\d{1,3}(?:\\.\\d{1,4})?$',
    maxLength: 8,
    minimum: 0,
    maximum: limits.budgetCents,
    ...value,
  }),
)

export const NewBudgetTax = Type.Object(
  { name: Name(limits.budgetTaxName), rate: Rate },
  { additionalProperties: false },
)
export const NewBudgetItem = Type.Object(
  {
    name: Name(limits.budgetTitle),
    description: Type.Optional(Nullable(Text(limits.budgetText))),
    quantity: Type.Optional(Quantity),
    unit: Type.Optional(Nullable(Name(limits.budgetUnit))),
    unitPriceCents: Type.Integer({ minimum: 0, maximum: limits.budgetCents }),
    optional: Type.Optional(Type.Boolean({ description: 'The client may do without it' })),
    selected: Type.Optional(
      Type.Boolean({ description: 'An optional item counts only when it is selected; others always are' }),
    ),
    discount: Type.Optional(
      Nullable(
        Type.Object({ kind: OneOf(discountKinds), value: DiscountValue }, { additionalProperties: false }),
      ),
    ),
    taxes: Type.Optional(Type.Array(NewBudgetTax, { maxItems: limits.budgetTaxes })),
  },
  { additionalProperties: false },
)
export const NewBudgetSection = Type.Object(
  {
    title: Type.Optional(Nullable(Name(limits.budgetTitle))),
    description: Type.Optional(Nullable(Text(limits.budgetText))),
    items: Type.Array(NewBudgetItem, { maxItems: limits.budgetItems }),
  },
  { additionalProperties: false },
)
export type NewBudgetSection = Static<typeof NewBudgetSection>
export const NewBudgetDiscount = Type.Object(
  { name: Name(limits.budgetTitle), kind: OneOf(discountKinds), value: DiscountValue },
  { additionalProperties: false },
)
export type NewBudgetDiscount = Static<typeof NewBudgetDiscount>

const Discount = Type.Object({
  kind: OneOf(discountKinds),
  value: Type.Unsafe<string | number>({ type: ['string', 'integer'], ...value }),
})
const Item = Type.Object({
  name: Type.String(),
  description: Nullable(Type.String()),
  quantity: Type.String(),
  unit: Nullable(Type.String()),
  unitPriceCents: Cents,
  optional: Type.Boolean(),
  selected: Type.Boolean(),
  discount: Nullable(Discount),
  taxes: Type.Array(Type.Object({ name: Type.String(), rate: Type.String() })),
  subtotalCents: Cents,
})
/** What is offered, with every figure that was computed of it. */
export const BudgetContent = Type.Object({
  sections: Type.Array(
    Type.Object({
      title: Nullable(Type.String()),
      description: Nullable(Type.String()),
      items: Type.Array(Item),
    }),
  ),
  discounts: Type.Array(Type.Object({ name: Type.String(), ...Discount.properties, amountCents: Cents })),
  taxes: Type.Array(
    Type.Object({ name: Type.String(), rate: Type.String(), baseCents: Cents, amountCents: Cents }),
  ),
})
export type BudgetContent = Static<typeof BudgetContent>

/** A budget as lists show it. */
export const BudgetSummary = Type.Object({
  id: Id,
  code: Type.String({ description: '`P-2026-0001`, or what it was called elsewhere' }),
  title: Type.String(),
  status: OneOf(budgetStatuses),
  clientId: Id,
  contactId: Nullable(Id),
  opportunityId: Nullable(Id),
  ownerId: Nullable(Id),
  issueDate: Type.String({ description: 'A day: YYYY-MM-DD' }),
  validUntil: Nullable(
    Type.String({ description: 'A day: YYYY-MM-DD. When it is over everywhere nobody can sign any more' }),
  ),
  isExpired: Type.Boolean({
    description: 'It was sent, and its last day is over. Another one opens it again',
  }),
  currency: Type.String(),
  subtotalCents: Cents,
  discountCents: Cents,
  taxCents: Cents,
  totalCents: Cents,
  createdAt: Time,
  updatedAt: Time,
  sentAt: Nullable(Time),
  signedAt: Nullable(Time),
  declinedAt: Nullable(Time),
  declineReason: Nullable(Type.String()),
})
export type BudgetSummary = Static<typeof BudgetSummary>
/** The whole of it. */
export const Budget = Type.Object({
  ...BudgetSummary.properties,
  ...BudgetContent.properties,
  conditions: Nullable(Type.String()),
  notes: Nullable(Type.String()),
  internalNotes: Nullable(Type.String({ description: 'Not for the client' })),
})
export type Budget = Static<typeof Budget>

const budgetFields = {
  contactId: Type.Optional(Nullable(Id)),
  opportunityId: Type.Optional(Nullable(Id)),
  ownerId: Type.Optional(Nullable(Id)),
  issueDate: Type.Optional(Day),
  validUntil: Type.Optional(Nullable(Day)),
  currency: Type.Optional(Currency),
  sections: Type.Optional(Type.Array(NewBudgetSection, { maxItems: limits.budgetSections })),
  discounts: Type.Optional(Type.Array(NewBudgetDiscount, { maxItems: limits.budgetDiscounts })),
  conditions: Type.Optional(Nullable(Text(limits.budgetConditions))),
  notes: Type.Optional(Nullable(Text(limits.budgetConditions))),
  internalNotes: Type.Optional(Nullable(Text(limits.budgetConditions))),
}
const computed =
  'Items are multiplied, discounted and rounded to cents one by one, half away from zero. The discounts of the budget follow ' +
  'in their order, each of what the one before it left. Each tax is computed once, of all that it is on after the discounts. ' +
  'Optional items count when they are selected.'

export const createBudget = operation('POST /budgets', {
  ...editAccess,
  summary: 'Create a budget',
  description: `It is of today (UTC) and in the currency of the issuer when nothing else is said. One that was made elsewhere brings \`code\` along; others get the next of their year. ${computed}`,
  body: {
    code: Type.Optional(Name(limits.budgetCode)),
    title: Name(limits.budgetTitle),
    clientId: Id,
    ...budgetFields,
  },
  reply: Budget,
  status: 201,
  errors: ['NOT_OF_THIS_ORGANIZATION', 'BUDGET_CODE_TAKEN'],
})
export const listBudgets = operation('GET /budgets', {
  ...viewAccess,
  summary: 'List budgets, the newest first',
  description: countLimitNote,
  query: { ...pageQuery, status: Type.Optional(OneOf(budgetStatuses)), clientId: Type.Optional(Id) },
  reply: Page(BudgetSummary),
})
export const readBudget = operation('GET /budgets/:id', {
  ...viewAccess,
  summary: 'A budget',
  params: id,
  reply: Budget,
  errors: ['BUDGET_NOT_FOUND'],
})
export const updateBudget = operation('PATCH /budgets/:id', {
  ...editAccess,
  summary: 'Change a budget',
  description:
    `What is left out stays as it is; \`sections\` and \`discounts\` are given whole. One that was sent may still change: ` +
    `links that were issued keep the document that they were issued with, and it keeps items; with another client they are revoked. Of one that is signed, ` +
    `declined or cancelled only \`ownerId\` and \`internalNotes\` do. With \`expectedUpdatedAt\` only as long as nobody else changed it. ${computed}`,
  params: id,
  body: {
    title: Type.Optional(Name(limits.budgetTitle)),
    clientId: Type.Optional(Id),
    ...budgetFields,
    expectedUpdatedAt,
  },
  bodyOptional: true,
  reply: Budget,
  errors: [
    'BUDGET_NOT_FOUND',
    'BUDGET_SETTLED',
    'BUDGET_UPDATE_CONFLICT',
    'NOTHING_TO_CHANGE',
    'NOT_OF_THIS_ORGANIZATION',
    'BUDGET_EMPTY',
  ],
})
export const duplicateBudget = operation('POST /budgets/:id/duplicate', {
  ...editAccess,
  summary: 'Make a new draft of what a budget offers',
  description: 'Of today, and valid for as many days as the other one was.',
  params: id,
  reply: Budget,
  status: 201,
  errors: ['BUDGET_NOT_FOUND', 'CLIENT_ARCHIVED'],
})
export const cancelBudget = operation('POST /budgets/:id/cancel', {
  ...editAccess,
  summary: 'Cancel a budget',
  description: 'Nobody can sign it any more. One that is cancelled already is answered as it is.',
  params: id,
  reply: Budget,
  errors: ['BUDGET_NOT_FOUND', 'BUDGET_SETTLED'],
})
export const readBudgetPdf = operation('GET /budgets/:id/pdf', {
  ...viewAccess,
  summary: 'A budget on paper',
  description: 'In Spanish, as its client gets it. The same budget always gives the same bytes.',
  params: id,
  responseType: 'application/pdf',
  errors: ['BUDGET_NOT_FOUND'],
})
