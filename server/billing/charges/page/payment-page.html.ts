import { createHash } from 'node:crypto'
import { Html, HtmlPage, html, type PageSender } from '#platform/http/html-page.ts'
import { type Language, writing } from '#platform/language.ts'
import type { AccountRow } from '../../gateway/account/gateway-account.sql.ts'
import { sandboxCardFields } from '../../gateway/sandbox-card.ts'
import { type InvoiceRow, issuedInvoice } from '../../invoices/invoice.row.ts'
import { dueOf, settledOf, statusOf } from '../../invoices/invoice.rules.ts'
import type { AttemptRow } from '../charge.row.ts'
import { texts } from './payment-page.texts.ts'

/** `bankMessage` is the bank's message about the last try. */
export type PaymentPageContent = {
  /** How the organization presents itself now; the name is that of the issued invoice. */
  sender: PageSender
  invoice: InvoiceRow
  token: string
  /** The account that can collect it; undefined: it cannot be paid by card. */
  account: AccountRow | undefined
  /** The open attempt of the invoice. */
  open: AttemptRow | undefined
  bankMessage?: string | null
}

function senderOf({ sender, invoice }: Pick<PaymentPageContent, 'sender' | 'invoice'>): PageSender {
  return { ...sender, name: invoice.issuer?.name ?? sender.name }
}

/** An invoice with the form to pay it. Works without scripts. */
export function invoicePage(language: Language, content: PaymentPageContent): HtmlPage {
  const t = texts[language]
  const { invoice, token } = content
  const { day, moneyIn, quantity, rate } = writing[language]
  const money = moneyIn(invoice.currency)
  const facts = [
    [t.from, invoice.issuer?.name],
    [t.to, invoice.recipient?.name],
    [t.issueDate, invoice.issue_date && day(invoice.issue_date)],
    [t.dueDate, invoice.due_date && day(invoice.due_date)],
  ]
  return new HtmlPage({
    language,
    title: t.invoice(issuedInvoice(invoice).number),
    sender: senderOf(content),
    body: html`<p class="quiet-text">${facts.map(([as, text]) => text && html`${as}: ${text}<br>`)}</p>
<table>
<thead><tr><th>${t.item}</th><th class="figure">${t.amount}</th></tr></thead>
${invoice.lines.map(
  line => html`<tr><td>${line.description}<br><small>${quantity(line.quantity)} × ${money(line.unitPriceCents)}</small></td>
<td class="figure">${money(line.subtotalCents)}</td></tr>`,
)}
</table>
<table>
<tr><td>${t.subtotal}</td><td class="figure">${money(invoice.subtotal_cents)}</td></tr>
${invoice.taxes.map(tax => html`<tr><td>${tax.name} ${rate(tax.rate)}</td><td class="figure">${money(tax.amountCents)}</td></tr>`)}
<tr><td>${t.total}</td><td class="figure">${money(invoice.total_cents)}</td></tr>
${invoice.rectified_cents > 0 && html`<tr><td>${t.rectified}</td><td class="figure">${money(-invoice.rectified_cents)}</td></tr>`}
${settledOf(invoice) > 0 && html`<tr><td>${t.paid}</td><td class="figure">${money(settledOf(invoice))}</td></tr>`}
<tr class="sum"><td>${t.due}</td><td class="figure">${money(dueOf(invoice))}</td></tr>
</table>
<p><a href="/p/${token}/pdf" target="_blank" rel="noopener">${t.pdf}</a></p>
${content.bankMessage !== undefined && html`<p role="alert">${t.notDone} ${content.bankMessage}</p>`}
${paymentForm(language, content)}`,
  })
}

function paymentForm(language: Language, { invoice, token, account, open }: PaymentPageContent): Html {
  const t = texts[language]
  if (statusOf(invoice) === 'RECTIFIED') return html`<p><strong>${t.isRectified}</strong></p>`
  if (dueOf(invoice) === 0) return html`<p><strong>${t.isPaid}</strong></p>`
  if (open && open.state !== 'REQUIRES_ACTION') return html`<p><strong>${t.isSlow}</strong></p>`
  if (!account) return html`<p>${t.noCards}</p>`
  return html`<form method="post" action="/p/${token}/pay">
${
  account.adapter === 'sandbox' &&
  html`<p><small>${t.sandbox}</small></p>
${sandboxCardFields(t)}`
}
<button>${t.pay(writing[language].moneyIn(invoice.currency)(dueOf(invoice)))}</button>
</form>`
}

/** The bank of the sandbox asks the payer to authenticate. */
export function bankPage(
  language: Language,
  content: Pick<PaymentPageContent, 'sender' | 'invoice' | 'token'>,
): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: t.bankAsks,
    sender: senderOf(content),
    body: html`<form method="post" action="/p/${content.token}/answer">
<button name="isYou" value="yes">${t.isYou}</button>
<button name="isYou" value="no" class="quiet">${t.isNotYou}</button>
</form>`,
  })
}

// constant, so that the policy can name its hash: the values are attributes of the form
const script = `const form = document.querySelector('form[data-secret]')
const { key, secret, back } = form.dataset
const button = form.querySelector('button')
const stripe = Stripe(key)
const elements = stripe.elements({ clientSecret: secret })
elements.create('payment').mount('#card')
form.addEventListener('submit', async event => {
  event.preventDefault()
  button.disabled = true
  const { error } = await stripe.confirmPayment({ elements, confirmParams: { return_url: back } })
  document.querySelector('#error').textContent = error.message
  button.disabled = false
})`
const digestOfScript = createHash('sha256').update(script).digest('base64')
const stripePolicy = `; script-src https://js.stripe.com 'sha256-${digestOfScript}'; connect-src https://api.stripe.com; frame-src https://js.stripe.com https://hooks.stripe.com`

/** The page with Stripe's card form; the only page with a script. */
export function stripePage(
  language: Language,
  content: PaymentPageContent & { account: AccountRow },
  payment: { clientSecret: string; back: string },
): HtmlPage {
  const t = texts[language]
  const { invoice, token, account } = content
  return new HtmlPage({
    language,
    title: t.toBank,
    sender: senderOf(content),
    policy: stripePolicy,
    body: html`<form data-key="${account.publishable_key}" data-secret="${payment.clientSecret}" data-back="${payment.back}">
<div id="card"></div>
<p id="error" role="alert"></p>
<button>${t.pay(writing[language].moneyIn(invoice.currency)(dueOf(invoice)))}</button>
</form>
<p><a href="/p/${token}">${t.again}</a></p>
<script src="https://js.stripe.com/v3/"></script>
<script>${new Html(script)}</script>`,
  })
}
