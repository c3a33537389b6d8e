"""For notebooks: a progress bar for loops, and the curves of a training while it goes on.

States, games, matches and results show themselves: put one at the end of a cell.
"""

from athenan.notebooks.chart import Chart as Chart
from athenan.notebooks.chart import svg_of_charts as svg_of_charts
from athenan.notebooks.live import LivePlot as LivePlot
from athenan.notebooks.live import curves as curves
from athenan.notebooks.loops import progress as progress
