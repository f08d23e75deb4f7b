/** The stepper beside the quantity, and the total for it. The shop's server computes the total itself. */
const stepper = document.querySelector('.stepper')
const quantity = document.querySelector('#quantity')
const subtotal = document.querySelector('#subtotal')
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'AUD' })

function showTotal() {
  const count = quantity.checkValidity() ? quantity.valueAsNumber : 1
  subtotal.textContent = dollars.format((count * Number(stepper.dataset.price)) / 100)
}

stepper.addEventListener('click', (event) => {
  const step = Number(event.target.dataset.step ?? 0)
  if (step > 0) quantity.stepUp()
  if (step < 0) quantity.stepDown()
  showTotal()
})
quantity.addEventListener('input', showTotal)
showTotal()
