import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import {
  Cents,
  Currency,
  Day,
  DocumentAddress,
  documentAddressLimit,
  documentAddressQuery,
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
import { Type } from '../type.ts'
import { editAccess, viewAccess } from './access.ts'
import { countLimitNote, expectedUpdatedAt, ids, recentSearchNote, search } from './shapes.ts'

const id = { id: Id }

export const budgetStatuses = ['DRAFT', 'SENT', 'SIGNED', 'DECLINED', 'CANCELLED'] as const
export type BudgetStatus = (typeof budgetStatuses)[number]
export const BudgetStatus = OneOf(budgetStatuses)
export const discountKinds = ['PERCENT', 'AMOUNT'] as const
export const DiscountKind = OneOf(discountKinds)

/** A decimal string with up to four decimals, because a floating-point number would lose precision. */
const Quantity = Type.String({
  maxLength: 14,
  pattern: '^\\d{1,9}(?:\\.\\d{1,4})?$',
  description: 'A decimal number with up to four decimals: `2.5`',
})
const Rate = Type.String({
  maxLength: 9,
  pattern: '^-?\\d{1,3}(?:\\.\\d{1,4})?$',
  description: 'A percentage from -100 to 100 with up to four decimals: `21`. A negative rate is withheld',
})
const value = {
  description:
    'With PERCENT a string from 0 to 100, in the format of a rate; with AMOUNT an integer in cents',
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
    optional: Type.Optional(Type.Boolean({ description: 'The client can leave this item out' })),
    selected: Type.Optional(
      Type.Boolean({
        description: 'An optional item counts only when it is selected. Other items always count',
      }),
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
/** The content of a budget, with all computed amounts. */
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

/** A budget in a list. */
export const BudgetSummary = Type.Object({
  id: Id,
  code: Type.String({ description: '`P-2026-0001`, or the code from the system where it was created' }),
  title: Type.String(),
  status: OneOf(budgetStatuses),
  clientId: Id,
  contactId: Nullable(Id),
  opportunityId: Nullable(Id),
  ownerId: Nullable(Id),
  issueDate: Type.String({ description: 'A day: YYYY-MM-DD' }),
  validUntil: Nullable(
    Type.String({
      description: 'A day: YYYY-MM-DD. Nobody can sign once this day has ended in every time zone',
    }),
  ),
  isExpired: Type.Boolean({
    description: 'It was sent and its last day has passed. A later `validUntil` makes it valid again',
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
/** A budget in full. */
export const Budget = Type.Object({
  ...BudgetSummary.properties,
  ...BudgetContent.properties,
  conditions: Nullable(Type.String()),
  notes: Nullable(Type.String()),
  internalNotes: Nullable(Type.String({ description: 'Hidden from the client' })),
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
/** The computed amounts of a budget (BUD-6 to BUD-8), in the order of the sections, items and discounts of the request. */
export const BudgetFigures = Type.Object({
  currency: Type.String(),
  sections: Type.Array(Type.Object({ items: Type.Array(Type.Object({ subtotalCents: Cents })) })),
  discounts: Type.Array(Type.Object({ amountCents: Cents })),
  taxes: BudgetContent.properties.taxes,
  subtotalCents: Cents,
  discountCents: Cents,
  taxCents: Cents,
  totalCents: Cents,
})
export type BudgetFigures = Static<typeof BudgetFigures>

export const createBudget = operation('POST /budgets', {
  announces: { event: 'budget.changed', change: 'created' },
  ...editAccess,
  summary: 'Create a budget',
  description:
    'The issue date defaults to today (UTC) and the currency to that of the issuer. Set `code` for a budget from another system; ' +
    'otherwise it gets the next code of its year. Each item is multiplied, discounted and rounded to cents, half away from zero. ' +
    'The discounts of the budget apply in their order, each to the amount that the one before it left. Each tax is computed once, ' +
    'on the sum of its items after discounts. Optional items count when they are selected.',
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
export const computeBudgetFigures = operation('POST /budgets/figures', {
  ...editAccess,
  summary: 'Compute the amounts of a budget without storing it',
  description:
    'Returns the amounts that createBudget and updateBudget would store for these sections and discounts, and refuses what they ' +
    'refuse. The currency defaults to that of the issuer.',
  body: {
    currency: budgetFields.currency,
    sections: budgetFields.sections,
    discounts: budgetFields.discounts,
  },
  reply: BudgetFigures,
})
export const listBudgets = operation('GET /budgets', {
  ...viewAccess,
  summary: 'List budgets, newest first',
  description: `${countLimitNote} Every word of \`search\` must occur in the code or the title. ${recentSearchNote}`,
  query: {
    ...pageQuery,
    search,
    ids,
    status: Type.Optional(OneOf(budgetStatuses)),
    clientId: Type.Optional(Id),
  },
  reply: Page(BudgetSummary),
})
export const readBudget = operation('GET /budgets/:id', {
  ...viewAccess,
  summary: 'Retrieve a budget',
  params: id,
  reply: Budget,
  errors: ['BUDGET_NOT_FOUND'],
})
export const updateBudget = operation('PATCH /budgets/:id', {
  announces: { event: 'budget.changed' },
  ...editAccess,
  summary: 'Update a budget',
  description:
    'Omitted fields keep their values. `sections` and `discounts` replace the existing ones. A sent budget can still change, but not ' +
    'lose all its items. Its links keep the document that they were issued with; a new client revokes them. On a signed, declined or ' +
    'cancelled budget only `ownerId` and `internalNotes` can change. With `expectedUpdatedAt` the update fails if the budget has ' +
    'changed since then. Amounts are computed as by createBudget.',
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
  announces: { event: 'budget.changed', change: 'created' },
  ...editAccess,
  summary: 'Duplicate a budget as a new draft',
  description: 'The copy is issued today and is valid for the same number of days.',
  params: id,
  reply: Budget,
  status: 201,
  errors: ['BUDGET_NOT_FOUND', 'CLIENT_ARCHIVED'],
})
export const cancelBudget = operation('POST /budgets/:id/cancel', {
  announces: { event: 'budget.changed' },
  ...editAccess,
  summary: 'Cancel a budget',
  description:
    'Nobody can sign the budget afterwards. A budget that is already cancelled is returned unchanged.',
  params: id,
  reply: Budget,
  errors: ['BUDGET_NOT_FOUND', 'BUDGET_SETTLED'],
})
export const readBudgetPdf = operation('GET /budgets/:id/pdf', {
  ...viewAccess,
  summary: 'Download a budget as PDF',
  description: 'In Spanish, as the client receives it. The same budget always produces the same bytes.',
  params: id,
  responseType: 'application/pdf',
  errors: ['BUDGET_NOT_FOUND'],
})
export const makeBudgetPdfAddress = operation('POST /budgets/:id/pdf-address', {
  ...viewAccess,
  summary: 'Create a short-lived address of the PDF of a budget',
  description:
    `A browser can open the address for ${limits.documentAddressSeconds} seconds without a header. It works only for the caller, as ` +
    'long as they stay signed in and may read budgets, and until the budget changes.',
  params: id,
  reply: DocumentAddress,
  errors: ['BUDGET_NOT_FOUND'],
})
export const openBudgetPdf = operation('GET /budgets/:id/pdf/open', {
  area: 'crm',
  auth: { public: true },
  summary: 'Open the PDF of a budget by its short-lived address',
  params: id,
  query: documentAddressQuery,
  responseType: 'application/pdf',
  errors: ['DOCUMENT_ADDRESS_INVALID'],
  limit: documentAddressLimit,
})
