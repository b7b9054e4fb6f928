import { type Html, HtmlPage, html, type PageSender } from '#platform/http/html-page.ts'
import type { Language } from '#platform/language.ts'
import { sandboxCardFields } from '../../gateway/sandbox-card.ts'
import type { CardPageRow } from './card-page.sql.ts'
import { complaints, texts } from './card-page.texts.ts'

type CardPageContent = { token: string; sender: PageSender; shown: CardPageRow }

/** The page on which a user reads the consent text and enters a card. Works without scripts. */
export function cardPage(
  language: Language,
  { token, sender, shown: content, complaint }: CardPageContent & { complaint?: string },
): HtmlPage {
  const t = texts[language]
  const isWrong = complaint !== undefined
  return new HtmlPage({
    language,
    title: t.title,
    sender,
    status: isWrong ? 422 : 200,
    body: html`${purpose(language, sender.name, content.text)}
<form method="post" action="/c/${token}">
${isWrong && html`<p role="alert" id="wrong"><strong>${complaints[language][complaint] ?? complaints[language].card_declined}</strong></p>`}
${sandboxCardFields(t, isWrong)}
<button>${t.give}</button>
</form>
<p><small>${t.sandbox} <code>4242 4242 4242 4242</code></small></p>`,
  })
}

/** The same for a gateway that asks for the card on a page of its own. */
export function gatewayRedirectPage(
  language: Language,
  { sender, shown: content, url }: Omit<CardPageContent, 'token'> & { url: string },
): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: t.title,
    sender,
    body: html`${purpose(language, sender.name, content.text)}
<p>${t.elsewhere}</p>
<p><a class="button" href="${url}">${t.leave}</a></p>`,
  })
}

function purpose(language: Language, organization: string, text: string): Html {
  const t = texts[language]
  return html`<p>${t.for(organization)}</p>
<details><summary>${t.agreed}</summary>
${text.split('\n').map(line => html`<p>${line}</p>`)}
</details>`
}

/** The bank asks the card holder to authenticate. */
export function bankPage(language: Language, { token, sender }: Omit<CardPageContent, 'shown'>): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: t.bank,
    sender,
    body: html`<p>${t.bankAsks}</p>
<form method="post" action="/c/${token}/bank">
<button name="answer" value="YES">${t.yes}</button>
<button class="quiet" name="answer" value="NO">${t.no}</button>
</form>`,
  })
}

export function donePage(language: Language, sender: PageSender): HtmlPage {
  const t = texts[language]
  return new HtmlPage({ language, title: t.done, sender, body: html`<p>${t.thanks(sender.name)}</p>` })
}
