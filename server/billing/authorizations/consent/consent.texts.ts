/**
 * The texts until the organization writes its own: version 1 of their locale. A released text never changes,
 * because users agreed to these exact words.
 */
export const builtIn: Readonly<Record<string, string>> = {
  es: `Autorizo a quien emite mis facturas a guardar los datos de mi tarjeta en su pasarela de pago y a cobrar con ella, \
sin que yo esté presente, las facturas que emita a mi nombre.

Cuándo: una vez por cada factura, a partir de su fecha de emisión. Si la autorización es para una sola factura, solo esa.

Cuánto: el importe pendiente de cada factura, en su moneda, hasta el límite que figure en esta autorización.

Cómo cancelarla: en cualquier momento, desde la aplicación en la que la he dado o escribiendo a quien emite las facturas. \
Desde entonces no se hará ningún cobro más; los cobros ya hechos no se devuelven por ello.

Mi banco puede pedirme que confirme un cobro. En ese caso no se cobrará hasta que lo haga.`,
  en: `I allow whoever issues my invoices to keep the details of my card at their payment gateway and to charge it, while I \
am not present, for the invoices that they issue in my name.

When: once for each invoice, from its date of issue on. If this authorization is for one invoice, for that one only.

How much: the amount due of each invoice, in its currency, up to the limit that this authorization states.

How to cancel: at any time, in the application where I gave it or by writing to whoever issues the invoices. From then on \
nothing more is charged; what was charged before is not given back for that reason.

My bank may ask me to confirm a charge. Then nothing is charged until I do.`,
}
