"""Questions to the person at the notebook: approvals, consents, free questions.

`question` says what a question is, whatever it is about; `wording` makes one of each kind. `asker`
puts it in all the ways there are, and the first answer counts: `line` reads it from the input box
under the cell, `forms` turning lines into values; `board` keeps it for pages of our extension,
which may come and go. `visible` makes other people's words safe to be read.
"""
